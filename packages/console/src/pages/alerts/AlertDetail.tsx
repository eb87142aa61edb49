import Container from '@cloudscape-design/components/container'
import ContentLayout from '@cloudscape-design/components/content-layout'
import Header from '@cloudscape-design/components/header'
import KeyValuePairs from '@cloudscape-design/components/key-value-pairs'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { getThirdpartyAlert } from '@wharf/contract'
import { linkTo } from '../../browser/route.ts'
import { DeletedNotice } from '../../components/DeletedNotice.tsx'
import { ErrorAlert } from '../../components/ErrorAlert.tsx'
import { isNotFound } from '../../components/is-not-found.ts'
import { RelativeTime } from '../../components/RelativeTime.tsx'
import { Status } from '../../components/Status.tsx'
import { useApiQuery } from '../../data/api-query.ts'
import { usePlatformNames } from '../../features/alert-platforms/use-platform-names.ts'
import { RecentDeliveries } from '../../features/deliveries/RecentDeliveries.tsx'
import { useMessages } from '../../i18n/messages.ts'
import { LabelTable } from './LabelTable.tsx'
import { messages } from './messages.ts'
import { Severity } from './Severity.tsx'

export function AlertDetail({ uuid }: { uuid: string }) {
  const t = useMessages(messages)
  const platformName = usePlatformNames()
  const { data, error } = useApiQuery(getThirdpartyAlert, { uuid })
  const alert = data?.inventories?.[0]
  if (isNotFound(error)) return <DeletedNotice text={t.gone} href={linkTo(['alerts'])} toList={t.toList} />
  if (error) return <ErrorAlert error={error} />
  return (
    <ContentLayout
      header={
        <Header variant="h1" description={alert?.annotations?.summary}>
          {alert?.name ?? uuid}
        </Header>
      }
    >
      <SpaceBetween size="l">
        <Container>
          <KeyValuePairs
            columns={4}
            items={[
              { label: t.status, value: <Status value={alert?.status} /> },
              { label: t.severity, value: <Severity value={alert?.severity} /> },
              { label: t.platform, value: platformName(alert?.platformUuid ?? '–') },
              { label: t.fingerprint, value: alert?.fingerprint ?? '–' },
              { label: t.since, value: <RelativeTime time={alert?.startsAt} /> },
              { label: t.until, value: <RelativeTime time={alert?.endsAt} /> },
              { label: t.arrived, value: <RelativeTime time={alert?.createDate} /> },
              { label: t.changed, value: <RelativeTime time={alert?.lastOpDate} /> },
            ]}
          />
        </Container>
        <LabelTable title={t.labels} entries={alert?.labels ?? {}} />
        <LabelTable title={t.annotations} entries={alert?.annotations ?? {}} />
        <RecentDeliveries title={t.deliveries} more={t.allDeliveries} condition={`alertUuid=${uuid}`} />
      </SpaceBetween>
    </ContentLayout>
  )
}
