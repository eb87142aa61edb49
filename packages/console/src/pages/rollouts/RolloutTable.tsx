import Button from '@cloudscape-design/components/button'
import Link from '@cloudscape-design/components/link'
import SegmentedControl from '@cloudscape-design/components/segmented-control'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { createRollout, pauseReasons, queryRollout, rolloutStates } from '@wharf/contract'
import { linkTo, navigate } from '../../browser/route.ts'
import { useRefusal } from '../../components/permission.ts'
import { RelativeTime } from '../../components/RelativeTime.tsx'
import { type Column, type RecordOf, ResourceTable } from '../../components/ResourceTable.tsx'
import { useFormat } from '../../i18n/use-format.ts'
import { useMessages } from '../../i18n/use-messages.ts'
import { messages } from './messages.ts'
import { RolloutStatus } from './RolloutStatus.tsx'
import { conditionsOfView, rolloutViews, viewIn } from './rollout-views.ts'
import { UserName } from './UserName.tsx'
import { useRolloutBulkActions } from './use-rollout-bulk-actions.ts'

type Rollout = RecordOf<typeof queryRollout>

export function RolloutTable({ search }: { search: URLSearchParams }) {
  const t = useMessages(messages)
  const view = viewIn(search)
  const create = (
    <Button variant="primary" {...useRefusal()(createRollout)} onClick={() => navigate(linkTo(['rollouts', 'create']))}>
      {t.create}
    </Button>
  )
  return (
    <ResourceTable
      operation={queryRollout}
      title={t.title}
      columns={useColumns()}
      search={search}
      path={['rollouts']}
      only={conditionsOfView(view)}
      bulkActions={useRolloutBulkActions()}
      hasTags
      actions={
        <SpaceBetween direction="horizontal" size="xs">
          <SegmentedControl
            selectedId={view}
            label={t.view}
            options={rolloutViews.map((id) => ({ id, text: t.views[id] }))}
            onChange={({ detail }) =>
              navigate(linkTo(['rollouts'], { view: detail.selectedId === 'all' ? undefined : detail.selectedId }))
            }
          />
          {create}
        </SpaceBetween>
      }
      empty={view === 'all' ? t.empty : t.emptyView}
      first={view === 'all' ? create : null}
    />
  )
}

function useColumns(): Column<Rollout>[] {
  const t = useMessages(messages)
  const format = useFormat()
  const progressOf = ({ currentWave, waves = [], succeededCount = 0, targetCount = 0 }: Rollout): string => {
    // a dynamic rollout adds waves
    const count = format.number(Math.max(currentWave ?? 0, waves.length))
    const total = format.number(targetCount)
    return currentWave
      ? t.progressOf(format.number(currentWave), count, format.number(succeededCount), total)
      : t.notStarted(count, total)
  }
  return [
    {
      field: 'name',
      label: t.name,
      width: 150,
      cell: ({ uuid = '', name }) => <Link href={linkTo(['rollouts', uuid])}>{name}</Link>,
    },
    {
      field: 'softwareName',
      label: t.release,
      width: 125,
      cell: ({ releaseUuid = '', softwareName, version }) => (
        <Link href={linkTo(['releases', releaseUuid])}>{`${softwareName} ${version}`}</Link>
      ),
      text: ({ softwareName, version }) => `${softwareName} ${version}`,
    },
    {
      field: 'state',
      label: t.state,
      width: 195,
      lines: 2,
      choices: rolloutStates,
      cell: (rollout) => <RolloutStatus rollout={rollout} />,
    },
    {
      field: 'currentWave',
      label: t.progress,
      width: 215,
      isDerived: true,
      lines: 2,
      cell: progressOf,
      text: progressOf,
    },
    {
      field: 'startDate',
      label: t.started,
      isMeasure: true,
      width: 185,
      cell: (one) => <RelativeTime time={one.startDate} />,
    },
    {
      field: 'userUuid',
      label: t.createdBy,
      width: 125,
      isDerived: true,
      isReadPerCell: true,
      cell: ({ userUuid = '' }) => <UserName uuid={userUuid} />,
      text: () => '',
    },
    {
      field: 'pauseReason',
      label: t.pauseReason,
      isOptional: true,
      choices: pauseReasons,
      cell: ({ pauseReason }) => (pauseReason ? t.pauseReasons[pauseReason] : t.none),
    },
    { field: 'version', label: t.version, isOptional: true },
    { field: 'failedCount', label: t.failed, isMeasure: true, isOptional: true },
    {
      field: 'endDate',
      label: t.ended,
      isMeasure: true,
      isOptional: true,
      cell: (one) => <RelativeTime time={one.endDate} />,
    },
    {
      field: 'createDate',
      label: t.created,
      isMeasure: true,
      isOptional: true,
      cell: (one) => <RelativeTime time={one.createDate} />,
    },
  ]
}
