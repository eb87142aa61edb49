import Header from '@cloudscape-design/components/header'
import SpaceBetween from '@cloudscape-design/components/space-between'
import Table from '@cloudscape-design/components/table'
import type { ComponentProps, ReactNode } from 'react'
import { useIsNarrow } from '../../browser/use-is-narrow.ts'
import { useFormat } from '../../i18n/use-format.ts'
import { useMessages } from '../../i18n/use-messages.ts'
import { CopyAsCommand } from '../copy-command/CopyAsCommand.tsx'
import type { ApiCall } from '../copy-command/command-text.ts'
import { EmptyState } from '../EmptyState.tsx'
import { ErrorAlert } from '../ErrorAlert.tsx'
import { useHistoryLink } from '../record-history/use-history-link.tsx'
import type { Column } from './column.ts'
import { columnDefinition } from './column-definition.tsx'
import { messages } from './messages.ts'
import { RecordCards } from './RecordCards.tsx'

interface SectionTableProps<R> {
  readonly title: string
  readonly description?: string | undefined
  /** Undefined while loading. */
  readonly records: readonly R[] | undefined
  /** The number of all records, when only some are shown. */
  readonly total?: number | undefined
  readonly keyOf: (record: R) => string
  /** The first one names the record. */
  readonly columns: readonly Column<R>[]
  readonly error?: unknown
  /** The call that returns the records. */
  readonly call?: ApiCall
  readonly actions?: ReactNode
  readonly empty: string
  /** A button below `empty`. */
  readonly first?: ReactNode
  readonly rowActions?: { readonly label: string; readonly cell: (record: R) => ReactNode }
  readonly selection?: NonNullable<ComponentProps<typeof RecordCards<R>>['selection']>
  readonly onRowClick?: (record: R) => void
  readonly isCompact?: boolean
}

/** The few records of a part of a page: no filter, no pages, no preferences. */
export function SectionTable<R>(props: SectionTableProps<R>) {
  const { title, description, records, total, keyOf, error, call, actions } = props
  const { selection, rowActions, onRowClick } = props
  const t = useMessages(messages)
  const format = useFormat()
  const isNarrow = useIsNarrow()
  const columns = useHistoryLink(call?.operation, props.columns)
  const common = {
    variant: 'container' as const,
    items: records ?? [],
    loading: records === undefined && !error,
    loadingText: t.loading,
    header: (
      <Header
        variant="h2"
        {...(records && { counter: `(${format.number(total ?? records.length)})` })}
        {...(description && { description })}
        actions={
          <SpaceBetween direction="horizontal" size="xs" alignItems="center">
            {call ? <CopyAsCommand calls={[call]} /> : null}
            {actions}
          </SpaceBetween>
        }
      >
        {title}
      </Header>
    ),
    // the error is shown above
    empty: error ? null : <EmptyState text={props.empty}>{props.first}</EmptyState>,
  }
  return (
    <SpaceBetween size="m">
      {error ? <ErrorAlert error={error} /> : null}
      {isNarrow ? (
        <RecordCards
          {...common}
          columns={columns}
          keyOf={keyOf}
          rowActions={rowActions?.cell}
          selection={selection}
          none={t.none}
        />
      ) : (
        <Table<R>
          {...common}
          {...selection}
          {...(onRowClick && { onRowClick: ({ detail }) => onRowClick(detail.item) })}
          ariaLabels={{ tableLabel: title, ...selection?.ariaLabels }}
          wrapLines
          contentDensity={props.isCompact ? 'compact' : 'comfortable'}
          trackBy={keyOf}
          columnDefinitions={[
            ...columns.map((column, index) =>
              columnDefinition(column, {
                width: column.width,
                isRowHeader: index === 0,
                isSortable: false,
                wrapLines: true,
                none: t.none,
                keyOf,
              }),
            ),
            ...(rowActions
              ? [{ id: 'row-actions', header: rowActions.label, minWidth: 140, cell: rowActions.cell }]
              : []),
          ]}
        />
      )}
    </SpaceBetween>
  )
}
