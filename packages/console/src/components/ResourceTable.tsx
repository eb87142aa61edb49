import Button from '@cloudscape-design/components/button'
import Header from '@cloudscape-design/components/header'
import Pagination from '@cloudscape-design/components/pagination'
import PropertyFilter from '@cloudscape-design/components/property-filter'
import SpaceBetween from '@cloudscape-design/components/space-between'
import Table, { type TableProps } from '@cloudscape-design/components/table'
import type { AnswerOf } from '@wharf/contract'
import type { CallableOperation, InputOf } from '@wharf/sdk'
import { type ReactNode, useEffect } from 'react'
import { useApiQuery } from '../data/api-query.ts'
import { useFormat } from '../i18n/use-format.ts'
import { useMessages } from '../i18n/use-messages.ts'
import { type Choice, labelsIn } from './choice-labels.ts'
import { EmptyState } from './EmptyState.tsx'
import { ErrorAlert } from './ErrorAlert.tsx'
import { choiceOperators, conditionsOf, operators, queryOf, textOperators } from './filter-query.ts'
import { listFilterId } from './list-filter-id.ts'
import { navigateToList, readListState } from './list-state.ts'
import { messages } from './messages.ts'
import { isSortable } from './sortable-fields.ts'

/** A record of a list: `fields` may omit any field. */
export type RecordOf<O> = AnswerOf<O> extends { inventories?: readonly (infer R)[] } ? R : never

export interface Column<R> {
  /** Filterable; sortable where the server has an index. */
  readonly field: string & keyof R
  readonly label: string
  readonly cell?: (record: R) => ReactNode
  /** Numbers and times have comparison operators in the filter. */
  readonly isMeasure?: boolean
  /** Values to choose from in the filter, with a label where the value is a uuid. */
  readonly choices?: readonly Choice[]
  readonly width?: number
}

interface ResourceTableProps<O extends CallableOperation> {
  readonly operation: O
  readonly title: string
  readonly columns: readonly Column<RecordOf<O>>[]
  readonly search: URLSearchParams
  readonly path: readonly string[]
  readonly actions?: ReactNode
  /** Shown when there are no records. */
  readonly empty: string
  /** A button below `empty`. */
  readonly first?: ReactNode
  /** The field that free text searches. */
  readonly textField?: string
  readonly defaultSort?: string
  /** Conditions in addition to the filter. */
  readonly only?: readonly string[]
  readonly selected?: readonly RecordOf<O>[]
  readonly onSelect?: (records: RecordOf<O>[]) => void
}

const pageSize = 25

/** A collection of the API, filtered, sorted and paged by the server. */
export function ResourceTable<O extends CallableOperation>(props: ResourceTableProps<O>) {
  const { operation, title, columns, search, path, actions, empty, first, textField = 'name', only = [] } = props
  const { selected, onSelect, defaultSort = '-createDate' } = props
  type R = RecordOf<O>
  const t = useMessages(messages)
  const format = useFormat()
  const state = readListState(search, defaultSort)
  const show = (change: Partial<typeof state>, how = { replace: false }): void =>
    navigateToList(path, { ...state, page: 1, ...change }, how)
  const q = [...only, ...state.conditions]
  const input = { q, sort: state.sort, start: (state.page - 1) * pageSize, limit: pageSize }
  const rows = useApiQuery(operation, input as unknown as InputOf<O>)
  // a separate query: counting is slower than reading a page, and all pages share it
  const count = useApiQuery(operation, { q, count: true } as unknown as InputOf<O>)
  const { error, isPending, isFetching } = rows
  const refetch = () => Promise.all([rows.refetch(), count.refetch()])
  const records = (rows.data as { inventories?: R[] } | undefined)?.inventories ?? []
  const total = count.isPlaceholderData ? undefined : (count.data as { total?: number } | undefined)?.total
  const lastPage = total === undefined ? undefined : Math.max(1, Math.ceil(total / pageSize))
  // records were deleted, or the link is old
  const isBeyondEnd = lastPage !== undefined && !count.isFetching && state.page > lastPage
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each place that is none
  useEffect(() => {
    if (isBeyondEnd) show({ page: lastPage }, { replace: true })
  }, [isBeyondEnd, state.page])
  const choiceFields = columns.flatMap(({ field, choices }) => (choices ? [field] : []))
  const sortField = state.sort.replace(/^[+-]/, '')
  const header = (
    <Header
      variant="h1"
      counter={total === undefined ? undefined : `(${format.number(total)})`}
      actions={
        <SpaceBetween direction="horizontal" size="xs">
          <Button iconName="refresh" ariaLabel={t.refresh} loading={isFetching} onClick={() => void refetch()} />
          {actions}
        </SpaceBetween>
      }
    >
      {title}
    </Header>
  )
  return (
    <SpaceBetween size="m">
      {error ? <ErrorAlert error={error} /> : null}
      <Table<R>
        variant="full-page"
        stickyHeader
        header={header}
        // an empty page is replaced as soon as the last page is known
        loading={isPending || (state.page > 1 && records.length === 0 && !count.error)}
        items={records}
        trackBy={(record) => (record as { uuid?: string }).uuid ?? ''}
        columnDefinitions={columns.map(columnDefinition)}
        sortingColumn={{ sortingField: sortField }}
        sortingDescending={state.sort.startsWith('-')}
        onSortingChange={({ detail }) =>
          show(
            { sort: `${detail.isDescending ? '-' : '+'}${detail.sortingColumn.sortingField ?? sortField}` },
            // a sort order is not a history entry
            { replace: true },
          )
        }
        {...(onSelect && {
          selectionType: 'multi' as const,
          selectedItems: selected ?? [],
          onSelectionChange: ({ detail }: { detail: TableProps.SelectionChangeDetail<R> }) =>
            onSelect(detail.selectedItems),
          ariaLabels: {
            selectionGroupLabel: title,
            allItemsSelectionLabel: () => t.select(title),
            itemSelectionLabel: (_: unknown, record: R) =>
              t.select((record as { name?: string; uuid?: string }).name ?? (record as { uuid?: string }).uuid ?? ''),
          },
        })}
        empty={
          // the error is shown above
          error ? null : state.conditions.length === 0 ? (
            <EmptyState text={empty}>{first}</EmptyState>
          ) : (
            <EmptyState text={t.noMatch}>
              <Button onClick={() => show({ conditions: [] })}>{t.clearFilter}</Button>
            </EmptyState>
          )
        }
        filter={
          <PropertyFilter
            controlId={listFilterId}
            query={queryOf(state.conditions, choiceFields)}
            onChange={({ detail }) => show({ conditions: conditionsOf(detail, textField) })}
            countText={total === undefined ? '' : t.matches(format.number(total))}
            hideOperations
            disableFreeTextFiltering={false}
            filteringPlaceholder={t.filter}
            filteringAriaLabel={t.filter}
            filteringProperties={columns.map(({ field, label, isMeasure, choices }) => ({
              key: field,
              propertyLabel: label,
              groupValuesLabel: label,
              operators: choices
                ? choiceOperators.map((one) => ({ ...one, format: labelsIn(choices) }))
                : isMeasure
                  ? [...operators]
                  : [...textOperators],
            }))}
            filteringOptions={columns.flatMap(({ field, choices = [] }) =>
              choices.map((one) => ({ propertyKey: field, ...(typeof one === 'string' ? { value: one } : one) })),
            )}
          />
        }
        pagination={
          <Pagination
            currentPageIndex={state.page}
            pagesCount={lastPage ?? state.page}
            openEnd={lastPage === undefined && records.length === pageSize}
            onChange={({ detail }) => show({ page: detail.currentPageIndex })}
            ariaLabels={{ nextPageLabel: t.nextPage, previousPageLabel: t.previousPage, pageLabel: t.page }}
          />
        }
      />
    </SpaceBetween>
  )

  function columnDefinition({ field, label, cell, width }: Column<R>): TableProps.ColumnDefinition<R> {
    const plain = (record: R): ReactNode => String(record[field] ?? t.none)
    return {
      id: field,
      header: label,
      cell: cell ?? plain,
      ...(isSortable(operation, field) ? { sortingField: field } : {}),
      ...(width === undefined ? {} : { width }),
    }
  }
}
