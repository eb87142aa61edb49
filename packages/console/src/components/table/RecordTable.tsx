import Pagination from '@cloudscape-design/components/pagination'
import SpaceBetween from '@cloudscape-design/components/space-between'
import Table from '@cloudscape-design/components/table'
import { useCallback, useEffect, useState } from 'react'
import { observeSize } from '../../browser/observe-size.ts'
import { useIsNarrow } from '../../browser/use-is-narrow.ts'
import { useMessages } from '../../i18n/use-messages.ts'
import { ErrorAlert } from '../ErrorAlert.tsx'
import type { ListState } from '../list-state.ts'
import { type Column, textOf } from './column.ts'
import { columnDefinition, widthOf } from './column-definition.tsx'
import { changedWidth, fitWidths } from './column-widths.ts'
import { ListEmpty } from './ListEmpty.tsx'
import { ListHeader } from './ListHeader.tsx'
import type { ListProps } from './list-props.ts'
import { messages } from './messages.ts'
import { PreferencesButton } from './preferences/PreferencesButton.tsx'
import type { TablePreferences } from './preferences/table-preferences.ts'
import type { ChangePreferences } from './preferences/use-table-preferences.ts'
import { PrefetchedPage } from './prefetched-page.ts'
import { RecordCards } from './RecordCards.tsx'
import { RowKeys } from './row-keys.ts'
import { type FilterField, TableFilter } from './TableFilter.tsx'
import { lastPageOf, type TableSource } from './table-source.ts'
import type { ShowList } from './use-list-state.ts'
import { useSelection } from './use-selection.ts'

interface RecordTableProps<R> extends ListProps<R> {
  readonly source: TableSource<R>
  readonly keyOf: (record: R) => string
  readonly state: ListState
  /** Conditions in addition to the filter. */
  readonly only?: readonly string[]
  readonly show: ShowList
  readonly preferences: TablePreferences
  readonly onPreferences: ChangePreferences
  /** Fields of the filter that have no column; undefined for a list without a filter. */
  readonly filterFields: readonly FilterField[] | undefined
}

/** The width of the checkboxes, and a margin that avoids a scroll bar; the last column takes what remains. */
const reservedWidth = 70
/** Of the container of a section, on both sides. */
const sectionPadding = 40

/** A list as a table, or as cards on a phone, with its filter, preferences, export and actions. */
export function RecordTable<R>(props: RecordTableProps<R>) {
  const { source, keyOf, state, only = [], show, preferences, onPreferences, filterFields, ...list } = props
  const { title, columns, path, textField = 'name', bulkActions = [], rowActions, isSection = false } = list
  const t = useMessages(messages)
  const isNarrow = useIsNarrow()
  const [available, setAvailable] = useState<number>()
  const frame = useCallback((element: HTMLDivElement) => {
    const measure = (): void => setAvailable((known) => changedWidth(known, element.clientWidth))
    measure()
    return observeSize(element, measure)
  }, [])
  const [selected, setSelected] = useSelection(source.records, keyOf, [...only, ...state.conditions])
  const { pageSize, wrapLines, contentDensity, contentDisplay, widths } = preferences
  const [prefetched] = useState(() => new PrefetchedPage(() => location.hash))
  const [rowKeys] = useState(() => new RowKeys())
  const view = [state.page, pageSize, state.sort, ...only, ...state.conditions].join('\n')
  const rowKeyOf = rowKeys.assign(view, source.records.map(keyOf))
  const lastPage = source.total === undefined ? undefined : lastPageOf(source.total, pageSize)
  // records were deleted, or the link is old
  const isBeyondEnd = lastPage !== undefined && !source.isCounting && state.page > lastPage
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each place that is none
  useEffect(() => {
    if (isBeyondEnd) show({ page: lastPage }, { replace: true })
  }, [isBeyondEnd, state.page])
  const shown = contentDisplay.flatMap(({ id, visible }) => columns.filter(({ field }) => visible && field === id))
  const nameOf = (record: R): string => (columns[0] ? textOf(columns[0], record) : keyOf(record))
  const selection =
    bulkActions.length === 0
      ? undefined
      : {
          selectionType: 'multi' as const,
          selectedItems: selected,
          onSelectionChange: ({ detail }: { detail: { selectedItems: R[] } }) => setSelected(detail.selectedItems),
          ariaLabels: {
            selectionGroupLabel: title,
            allItemsSelectionLabel: () => t.select(title),
            itemSelectionLabel: (_: unknown, record: R) => t.select(nameOf(record)),
          },
        }
  const common = {
    variant: isSection ? ('container' as const) : ('full-page' as const),
    items: source.records,
    loading: source.isPending,
    header: (
      <ListHeader
        {...list}
        source={source}
        shown={shown}
        selected={selected}
        keyOf={keyOf}
        nameOf={nameOf}
        onDone={() => setSelected([])}
      />
    ),
    // the error is shown above
    empty: source.error ? null : (
      <ListEmpty {...list} isFiltered={state.conditions.length > 0} onClear={() => show({ conditions: [] })} />
    ),
    filter: filterFields ? (
      <TableFilter
        table={path.join('/')}
        columns={columns}
        fields={filterFields}
        textField={textField}
        conditions={state.conditions}
        total={source.total}
        onChange={(conditions) => show({ conditions })}
      />
    ) : null,
    pagination:
      isSection && lastPage === 1 ? null : (
        <Pagination
          currentPageIndex={state.page}
          pagesCount={lastPage ?? state.page}
          openEnd={lastPage === undefined && source.records.length === pageSize}
          onChange={({ detail: { currentPageIndex: page } }) =>
            void prefetched.show(
              () => source.preparePage?.(page),
              () => show({ page }),
            )
          }
          ariaLabels={{ nextPageLabel: t.nextPage, previousPageLabel: t.previousPage, pageLabel: t.page }}
        />
      ),
    preferences: (
      <PreferencesButton
        columns={columns}
        preferences={preferences}
        onChange={(change) => {
          onPreferences(change)
          if (change.pageSize !== pageSize) show({ page: 1 }, { replace: true })
        }}
      />
    ),
  }
  return (
    <SpaceBetween size="m">
      {source.error ? <ErrorAlert error={source.error} /> : null}
      {isNarrow ? (
        <RecordCards
          {...common}
          columns={shown}
          keyOf={keyOf}
          rowActions={rowActions?.cell}
          selection={selection}
          none={t.none}
        />
      ) : (
        <div ref={frame}>
          {available === undefined ? null : (
            <Table<R>
              // the table applies the widths of its columns only when it is created
              key={available}
              {...common}
              {...selection}
              ariaLabels={{ tableLabel: title, resizerRoleDescription: t.resize, ...selection?.ariaLabels }}
              stickyHeader
              stickyColumns={{ first: 1, last: rowActions ? 1 : 0 }}
              resizableColumns
              wrapLines={wrapLines}
              contentDensity={contentDensity}
              // a dialog that was opened in a row closes when its record leaves the table
              trackBy={rowActions ? keyOf : (record) => rowKeyOf(keyOf(record))}
              columnDefinitions={definitions(available)}
              columnDisplay={[
                ...contentDisplay.filter(({ id }) => columns.some(({ field }) => field === id)),
                ...(rowActions ? [{ id: actionsId, visible: true }] : []),
              ]}
              onColumnWidthsChange={({ detail }) => onPreferences({ widths: resizedWidths(detail.widths) })}
              sortingColumn={{ sortingField: state.sort.replace(/^[+-]/, '') }}
              sortingDescending={state.sort.startsWith('-')}
              onSortingChange={({ detail }) =>
                show(
                  { sort: `${detail.isDescending ? '-' : '+'}${detail.sortingColumn.sortingField ?? ''}` },
                  // a sort order is not a history entry
                  { replace: true },
                )
              }
            />
          )}
        </div>
      )}
    </SpaceBetween>
  )

  function definitions(space: number) {
    const fixed = reservedWidth + (isSection ? sectionPadding : 0) + (rowActions?.width ?? 0)
    const sized = shown.map((column, index) => ({ id: column.field as string, width: widthOf(column, index) }))
    const fitted = fitWidths(sized, widths, space - fixed)
    return [
      ...columns.map((column: Column<R>, index) =>
        columnDefinition(column, {
          width: fitted.get(column.field) ?? widths[column.field] ?? widthOf(column, index),
          isRowHeader: index === 0,
          isSortable: !column.isDerived && source.isSortable(column.field),
          wrapLines,
          none: t.none,
          keyOf,
        }),
      ),
      ...(rowActions
        ? [{ id: actionsId, header: rowActions.label, minWidth: rowActions.width, cell: rowActions.cell }]
        : []),
    ]
  }

  /** The table reports the widths of all columns in the order of their definitions. */
  function resizedWidths(reported: readonly number[]): Record<string, number> {
    return Object.fromEntries(
      columns.flatMap(({ field }, index) => {
        const width = reported[index]
        return width === undefined || !shown.some((column) => column.field === field)
          ? []
          : [[field, Math.round(width)] as const]
      }),
    )
  }
}

const actionsId = 'row-actions'
