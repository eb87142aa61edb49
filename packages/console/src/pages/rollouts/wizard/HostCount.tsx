import StatusIndicator from '@cloudscape-design/components/status-indicator'
import { queryHost } from '@wharf/contract'
import { ErrorAlert } from '../../../components/ErrorAlert.tsx'
import { useDebounced } from '../../../components/use-debounced.ts'
import { useApiQuery } from '../../../data/api-query.ts'
import { useFormat } from '../../../i18n/use-format.ts'
import { useMessages } from '../../../i18n/use-messages.ts'
import { messages } from './messages.ts'

/** Queries when typing pauses. */
const pauseMs = 300
const shownNames = 5

/** How many hosts match the conditions now, and the first of them. */
export function HostCount({ conditions }: { conditions: readonly string[] | undefined }) {
  const t = useMessages(messages)
  const format = useFormat()
  const settled = useDebounced(JSON.stringify(conditions ?? []), pauseMs)
  const q = JSON.parse(settled) as string[]
  const isEnabled = q.length > 0
  const input = { q, sort: '+name', limit: shownNames, fields: ['uuid', 'name'], replyWithCount: true }
  const { data, error, isFetching } = useApiQuery(queryHost, input, { enabled: isEnabled })
  if (!isEnabled) return <StatusIndicator type="pending">{t.noConditions}</StatusIndicator>
  if (error && !isFetching) return <ErrorAlert error={error} />
  const total = data?.total
  const names = data?.inventories?.map(({ name }) => name) ?? []
  return (
    <div aria-live="polite">
      {total === undefined ? (
        <StatusIndicator type="loading">{t.counting}</StatusIndicator>
      ) : (
        <StatusIndicator type={total === 0 ? 'warning' : 'success'}>
          {t.matching(format.number(total), names.join(', '), total > names.length)}
        </StatusIndicator>
      )}
    </div>
  )
}
