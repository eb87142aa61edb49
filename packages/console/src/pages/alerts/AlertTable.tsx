import Button from '@cloudscape-design/components/button'
import Link from '@cloudscape-design/components/link'
import SegmentedControl from '@cloudscape-design/components/segmented-control'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { alertStatuses, queryThirdpartyAlert } from '@wharf/contract'
import { linkTo, navigate } from '../../browser/route.ts'
import { RelativeTime } from '../../components/RelativeTime.tsx'
import { type Column, type RecordOf, ResourceTable } from '../../components/ResourceTable.tsx'
import { Severity } from '../../components/Severity.tsx'
import { Status } from '../../components/Status.tsx'
import { segmentSearch, statusSegment } from '../../components/status-filter.ts'
import { usePlatformChoices, usePlatformNames } from '../../features/alert-platforms/use-platform-names.ts'
import { useMessages } from '../../i18n/use-messages.ts'
import { AlertBadges } from './actions/AlertBadges.tsx'
import { useAlertBulkActions } from './actions/use-alert-bulk-actions.ts'
import { AlertHistogram } from './histogram/AlertHistogram.tsx'
import { messages } from './messages.ts'

export function AlertTable({ search }: { search: URLSearchParams }) {
  const t = useMessages(messages)
  const platformName = usePlatformNames()
  const platforms = usePlatformChoices()
  const columns: Column<RecordOf<typeof queryThirdpartyAlert>>[] = [
    {
      field: 'name',
      label: t.alert,
      width: 185,
      cell: ({ uuid = '', name }) => <Link href={linkTo(['alerts', uuid])}>{name}</Link>,
    },
    {
      field: 'status',
      label: t.status,
      choices: alertStatuses,
      width: 205,
      cell: (alert) => <AlertStatus alert={alert} />,
    },
    {
      field: 'severity',
      label: t.severity,
      width: 110,
      choices: ['critical', 'warning', 'info'],
      cell: ({ severity }) => <Severity value={severity} />,
    },
    {
      field: 'platformUuid',
      label: t.platform,
      width: 130,
      choices: platforms,
      text: ({ platformUuid = '' }) => platformName(platformUuid),
    },
    { field: 'startsAt', label: t.since, isMeasure: true, cell: ({ startsAt }) => <RelativeTime time={startsAt} /> },
    { field: 'endsAt', label: t.until, isMeasure: true, cell: ({ endsAt }) => <RelativeTime time={endsAt} /> },
    { field: 'acknowledgedBy', label: t.acknowledgedBy, isOptional: true },
    {
      field: 'silencedUntil',
      label: t.silencedUntil,
      isMeasure: true,
      isOptional: true,
      cell: ({ silencedUntil }) => <RelativeTime time={silencedUntil} />,
    },
  ]
  return (
    <SpaceBetween size="l">
      <AlertHistogram conditions={search.getAll('q')} />
      <ResourceTable
        operation={queryThirdpartyAlert}
        title={t.title}
        columns={columns}
        search={search}
        path={['alerts']}
        bulkActions={useAlertBulkActions()}
        actions={
          <SegmentedControl
            label={t.which}
            selectedId={statusSegment(search.getAll('q'), alertStatuses)}
            options={[
              { id: 'all', text: t.all },
              { id: 'firing', text: t.firing },
              { id: 'resolved', text: t.resolved },
            ]}
            onChange={({ detail }) => navigate(linkTo(['alerts'], segmentSearch(detail.selectedId)))}
          />
        }
        empty={t.empty}
        first={<Button onClick={() => navigate(linkTo(['alerts', 'platforms']))}>{t.toPlatforms}</Button>}
      />
    </SpaceBetween>
  )
}

const AlertStatus = ({ alert }: { alert: RecordOf<typeof queryThirdpartyAlert> }) => (
  <>
    <Status value={alert.status} />
    <AlertBadges alert={alert} />
  </>
)
