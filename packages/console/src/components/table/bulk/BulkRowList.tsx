import StatusIndicator from '@cloudscape-design/components/status-indicator'
import Table from '@cloudscape-design/components/table'
import { useMessages } from '../../../i18n/use-messages.ts'
import { errorText } from '../../error-text.ts'
import { messages } from '../messages.ts'
import type { BulkRow, RowState } from './bulk-rows.ts'
import '../table.css'

interface BulkRowListProps<R> {
  readonly rows: readonly BulkRow<R>[]
  readonly nameOf: (record: R) => string
  readonly label: string
}

/** The records of a bulk action: what will happen to each, and then what did. */
export function BulkRowList<R>({ rows, nameOf, label }: BulkRowListProps<R>) {
  const t = useMessages(messages)
  return (
    <Table
      variant="embedded"
      contentDensity="compact"
      wrapLines
      items={rows}
      trackBy="key"
      ariaLabels={{ tableLabel: label, selectionGroupLabel: label }}
      columnDefinitions={[
        { id: 'name', header: t.name, isRowHeader: true, width: '40%', cell: ({ record }) => nameOf(record) },
        { id: 'result', header: t.result, cell: ({ state }) => <RowResult state={state} /> },
      ]}
    />
  )
}

function RowResult({ state }: { state: RowState }) {
  const t = useMessages(messages)
  switch (state.kind) {
    case 'preparing':
      return <StatusIndicator type="loading">{t.checking}</StatusIndicator>
    case 'skipped':
      return (
        <>
          <StatusIndicator type="warning">{t.skipped}</StatusIndicator>
          <Reason text={state.reason} />
        </>
      )
    case 'ready':
      return (
        <>
          <StatusIndicator type="pending">{t.ready}</StatusIndicator>
          {state.note ? <Reason text={state.note} /> : null}
        </>
      )
    case 'running':
      return <StatusIndicator type="in-progress">{t.inProgress}</StatusIndicator>
    case 'succeeded':
      return <StatusIndicator type="success">{t.succeeded}</StatusIndicator>
    case 'failed':
      return (
        <>
          <StatusIndicator type="error">{t.failed}</StatusIndicator>
          <Reason text={errorText(state.error)} />
        </>
      )
  }
}

/** Below the indicator, which breaks words. */
const Reason = ({ text }: { text: string }) => <div className="bulk-reason">{text}</div>
