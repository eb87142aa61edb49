import Link from '@cloudscape-design/components/link'
import { planActions, queryRolloutTarget, targetStates } from '@wharf/contract'
import type { ReactNode } from 'react'
import { RelativeTime } from '../../../components/RelativeTime.tsx'
import type { Column } from '../../../components/ResourceTable.tsx'
import { Status } from '../../../components/Status.tsx'
import { LocalTable } from '../../../components/table/LocalTable.tsx'
import { useMessages } from '../../../i18n/use-messages.ts'
import { PlannedChange } from '../PlannedChange.tsx'
import { messages } from './messages.ts'
import { linkToTarget } from './target-link.ts'
import { type Target, useTargets } from './use-rollout-parts.ts'

interface TargetTableProps {
  readonly rolloutUuid: string
  readonly search: URLSearchParams
  readonly actions: ReactNode
}

/** The same hosts as the diagram, filtered and sorted. */
export function TargetTable({ rolloutUuid, search, actions }: TargetTableProps) {
  const t = useMessages(messages)
  const { targets, error, isFetching, refetch } = useTargets(rolloutUuid)
  const columns: Column<Target>[] = [
    {
      field: 'hostName',
      label: t.host,
      width: 180,
      cell: ({ uuid, hostName }) => <Link href={linkToTarget(rolloutUuid, uuid, search)}>{hostName}</Link>,
    },
    { field: 'wave', label: t.waveNumber, isMeasure: true, width: 100 },
    {
      field: 'state',
      label: t.state,
      choices: targetStates,
      width: 150,
      cell: ({ state }) => <Status value={state} />,
    },
    {
      field: 'action',
      label: t.action,
      choices: planActions,
      width: 190,
      cell: (one) => <PlannedChange target={one} />,
    },
    { field: 'error', label: t.lastError, width: 300, lines: 2 },
    { field: 'fromVersion', label: t.from, isOptional: true },
    { field: 'toVersion', label: t.to, isOptional: true },
    { field: 'attempts', label: t.attempts, isMeasure: true, isOptional: true },
    {
      field: 'startDate',
      label: t.started,
      isDerived: true,
      isOptional: true,
      cell: (one) => <RelativeTime time={one.startDate} />,
    },
  ]
  return (
    <LocalTable
      isSection
      title={t.hosts}
      records={targets}
      error={error}
      isFetching={isFetching}
      refetch={refetch}
      call={{ operation: queryRolloutTarget, input: { uuid: rolloutUuid } }}
      keyOf={({ uuid }) => uuid}
      columns={columns}
      path={['rollouts', rolloutUuid]}
      search={search}
      actions={actions}
      defaultSort="+wave"
      textField="hostName"
      empty={t.noHosts}
    />
  )
}
