import Button from '@cloudscape-design/components/button'
import Link from '@cloudscape-design/components/link'
import SegmentedControl from '@cloudscape-design/components/segmented-control'
import SpaceBetween from '@cloudscape-design/components/space-between'
import {
  actorKinds,
  auditOutcomes,
  exportAuditEntries,
  inventories,
  operations,
  queryAuditEntry,
  roles,
} from '@wharf/contract'
import { useState } from 'react'
import { linkTo, navigate } from '../../browser/route.ts'
import { useNow } from '../../browser/use-now.ts'
import { useRefusal } from '../../components/permission.ts'
import { RelativeTime } from '../../components/RelativeTime.tsx'
import { type Column, type RecordOf, ResourceTable } from '../../components/ResourceTable.tsx'
import { EntryOutcome } from '../../components/record-history/EntryOutcome.tsx'
import { outcomeOf } from '../../components/record-history/outcome.ts'
import { recordLink } from '../../components/record-history/record-link.ts'
import { useActorName } from '../../components/record-history/use-actor-name.ts'
import { useTypeNames } from '../../components/resource-types/use-type-names.ts'
import { useMessages } from '../../i18n/use-messages.ts'
import { actorCondition } from './actor-condition.ts'
import { type AuditPeriod, auditPeriods, periodIn, searchOfPeriod, startOf } from './audit-period.ts'
import { ExportTrail } from './ExportTrail.tsx'
import { messages } from './messages.ts'

type Entry = RecordOf<typeof queryAuditEntry>

/** The start of a period moves in steps, so that the query stays the same in between. */
const periodStepMs = 5 * 60_000

const operationNames = operations.map(({ name }) => name).sort()
/** The retention removes entries, which are not events. */
const resourceTypes = [
  ...new Set([...inventories.flatMap(({ events }) => events as readonly string[]), 'AuditEntry']),
].sort()

export function EntryTable({ search }: { search: URLSearchParams }) {
  const t = useMessages(messages)
  const actorName = useActorName()
  const typeName = useTypeNames()
  const refused = useRefusal()
  const period = periodIn(search)
  const from = startOf(period, useNow(periodStepMs))
  const [isExporting, setExporting] = useState(false)
  const columns: Column<Entry>[] = [
    {
      field: 'operation',
      label: t.operation,
      suggestions: operationNames,
      width: 225,
      lines: 2,
      cell: ({ uuid = '', operation }) => <Link href={linkTo(['audit', uuid])}>{operation}</Link>,
    },
    {
      field: 'outcome',
      label: t.outcome,
      choices: auditOutcomes,
      width: 130,
      lines: 2,
      cell: (entry) => <EntryOutcome entry={entry} />,
      text: outcomeOf,
    },
    {
      field: 'actorName',
      label: t.actor,
      suggestions: [actorName({ actorKind: 'System' })],
      width: 110,
      lines: 2,
      cell: actorName,
      text: actorName,
    },
    { field: 'resourceName', label: t.record, width: 185, cell: (entry) => <RecordName entry={entry} /> },
    {
      field: 'endDate',
      label: t.time,
      isMeasure: true,
      cell: ({ endDate }) => <RelativeTime time={endDate} />,
    },
    {
      field: 'resourceType',
      label: t.type,
      choices: resourceTypes.map((value) => ({ value, label: typeName(value) })),
      isOptional: true,
      width: 185,
      text: ({ resourceType }) => (resourceType ? typeName(resourceType) : ''),
    },
    { field: 'sourceIp', label: t.source, width: 140 },
    { field: 'actorKind', label: t.kind, choices: actorKinds, isOptional: true, text: kindText },
    { field: 'credentialUuid', label: t.credential, isOptional: true, width: 290 },
    { field: 'role', label: t.role, choices: roles, isOptional: true },
    { field: 'errorCode', label: t.error, isOptional: true },
    { field: 'status', label: t.status, isMeasure: true, isOptional: true },
    { field: 'resourceUuid', label: t.recordUuid, isOptional: true, width: 290 },
    { field: 'jobUuid', label: t.job, isOptional: true, width: 290 },
    { field: 'requestId', label: t.request, isOptional: true, width: 290 },
    { field: 'seq', label: t.seq, isMeasure: true, isOptional: true },
  ]
  return (
    <>
      <ResourceTable
        operation={queryAuditEntry}
        title={t.title}
        columns={columns}
        search={search}
        path={['audit']}
        defaultSort="-endDate"
        textField="resourceName"
        conditionOf={actorCondition}
        only={from === undefined ? [] : [`endDate>=${from}`]}
        actions={
          <SpaceBetween direction="horizontal" size="xs" alignItems="end">
            <SegmentedControl
              selectedId={period}
              label={t.period}
              options={auditPeriods.map((id) => ({ id, text: t.periods[id] }))}
              onChange={({ detail }) =>
                navigate(`${linkTo(['audit'])}${searchOfPeriod(search, detail.selectedId as AuditPeriod)}`)
              }
            />
            <Button iconName="download" {...refused(exportAuditEntries)} onClick={() => setExporting(true)}>
              {t.exportTrail}
            </Button>
          </SpaceBetween>
        }
        empty={t.empty}
      />
      {isExporting ? <ExportTrail onDismiss={() => setExporting(false)} /> : null}
    </>
  )

  function kindText({ actorKind }: Entry): string {
    return actorKind ? t.kinds[actorKind] : ''
  }
}

function RecordName({ entry }: { entry: Entry }) {
  const { resourceName, resourceUuid } = entry
  const href = recordLink(entry)
  const text = resourceName ?? resourceUuid ?? '–'
  return href ? <Link href={href}>{text}</Link> : text
}
