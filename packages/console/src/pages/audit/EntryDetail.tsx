import Container from '@cloudscape-design/components/container'
import Header from '@cloudscape-design/components/header'
import KeyValuePairs from '@cloudscape-design/components/key-value-pairs'
import Link from '@cloudscape-design/components/link'
import { queryAuditEntry } from '@wharf/contract'
import { linkTo } from '../../browser/route.ts'
import { CopiedText } from '../../components/CopiedText.tsx'
import { DetailPage } from '../../components/DetailPage.tsx'
import { NodeName } from '../../components/NodeName.tsx'
import { RelativeTime } from '../../components/RelativeTime.tsx'
import type { RecordOf } from '../../components/ResourceTable.tsx'
import { ChangesTable } from '../../components/record-history/ChangesTable.tsx'
import { EntryOutcome } from '../../components/record-history/EntryOutcome.tsx'
import { recordLink } from '../../components/record-history/record-link.ts'
import { useActorName } from '../../components/record-history/use-actor-name.ts'
import { useTypeNames } from '../../components/resource-types/use-type-names.ts'
import { useApiQuery } from '../../data/api-query.ts'
import { useFormat } from '../../i18n/use-format.ts'
import { useMessages } from '../../i18n/use-messages.ts'
import { messages } from './messages.ts'
import { SignedInWith } from './SignedInWith.tsx'

type Entry = RecordOf<typeof queryAuditEntry>

export function EntryDetail({ uuid }: { uuid: string }) {
  const t = useMessages(messages)
  return (
    <DetailPage
      query={useApiQuery(queryAuditEntry, { q: [`uuid=${uuid}`] })}
      notFound={t.notFound}
      list={{ path: ['audit'], label: t.toList }}
      title={({ operation, resourceName }) => [operation, resourceName].filter(Boolean).join(' ')}
      historyField={null}
    >
      {(entry) => (
        <>
          <EntryFacts entry={entry} />
          <ChangesTable changes={entry.changes} />
          <Evidence entry={entry} />
        </>
      )}
    </DetailPage>
  )
}

function EntryFacts({ entry }: { entry: Entry }) {
  const t = useMessages(messages)
  const typeName = useTypeNames()
  const actorName = useActorName()
  const { resourceType, resourceName, resourceUuid, jobUuid } = entry
  const record = [resourceType && typeName(resourceType), resourceName ?? resourceUuid].filter(Boolean).join(' ')
  const href = recordLink(entry)
  return (
    <Container>
      <KeyValuePairs
        columns={4}
        items={[
          { label: t.outcome, value: <EntryOutcome entry={entry} /> },
          { label: t.actor, value: actorName(entry) },
          { label: t.kind, value: <SignedInWith entry={entry} /> },
          { label: t.time, value: <RelativeTime time={entry.endDate} /> },
          { label: t.record, value: href ? <Link href={href}>{record}</Link> : record || '–' },
          { label: t.source, value: entry.sourceIp ?? '–' },
          { label: t.client, value: entry.userAgent ?? '–' },
          { label: t.status, value: [entry.status, entry.errorCode].filter(Boolean).join(' · ') || '–' },
          { label: t.call, value: [entry.method, entry.path].filter(Boolean).join(' ') || '–' },
          { label: t.request, value: entry.requestId ?? '–' },
          { label: t.job, value: jobUuid ? <Link href={linkTo(['jobs', jobUuid])}>{jobUuid}</Link> : '–' },
          { label: t.node, value: entry.managementNodeUuid ? <NodeName uuid={entry.managementNodeUuid} /> : '–' },
        ]}
      />
    </Container>
  )
}

/** The position in the chain. */
function Evidence({ entry: { seq, hash } }: { entry: Entry }) {
  const t = useMessages(messages)
  const format = useFormat()
  return (
    <Container
      header={
        <Header variant="h2" description={t.evidenceHelp}>
          {t.evidence}
        </Header>
      }
    >
      <KeyValuePairs
        columns={2}
        items={[
          { label: t.seq, value: seq ? format.number(seq) : t.notChained },
          { label: t.hash, value: <CopiedText text={hash ?? null} /> },
        ]}
      />
    </Container>
  )
}
