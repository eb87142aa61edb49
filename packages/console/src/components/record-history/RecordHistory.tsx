import Link from '@cloudscape-design/components/link'
import { queryAuditEntry } from '@wharf/contract'
import { linkTo } from '../../browser/route.ts'
import { useApiQuery } from '../../data/api-query.ts'
import { useMessages } from '../../i18n/use-messages.ts'
import { RelativeTime } from '../RelativeTime.tsx'
import { SectionTable } from '../table/SectionTable.tsx'
import { ChangeSummary } from './ChangeSummary.tsx'
import { EntryOutcome } from './EntryOutcome.tsx'
import { messages } from './messages.ts'
import { useActorName } from './use-actor-name.ts'

/** No event reports new entries. */
const pollMs = 5000
const maxEntries = 25

/** The newest audit entries that match a condition. */
export function RecordHistory({ condition }: { condition: string }) {
  const t = useMessages(messages)
  const actorName = useActorName()
  const input = { q: [condition], sort: '-endDate', limit: maxEntries, replyWithCount: true }
  const { data, error } = useApiQuery(queryAuditEntry, input, { pollMs })
  return (
    <SectionTable
      title={t.history}
      description={t.description}
      records={data?.inventories}
      total={data?.total}
      keyOf={({ uuid = '' }) => uuid}
      error={error}
      call={{ operation: queryAuditEntry, input }}
      actions={<Link href={linkTo(['audit'], { q: condition })}>{t.all}</Link>}
      columns={[
        {
          field: 'operation',
          label: t.operation,
          width: 200,
          cell: ({ uuid = '', operation }) => <Link href={linkTo(['audit', uuid])}>{operation}</Link>,
        },
        { field: 'changes', label: t.changes, cell: ({ changes }) => <ChangeSummary changes={changes} /> },
        { field: 'actorName', label: t.actor, width: 140, cell: actorName },
        { field: 'endDate', label: t.time, width: 190, cell: ({ endDate }) => <RelativeTime time={endDate} /> },
        { field: 'outcome', label: t.outcome, width: 130, cell: (entry) => <EntryOutcome entry={entry} /> },
      ]}
      empty={t.empty}
    />
  )
}
