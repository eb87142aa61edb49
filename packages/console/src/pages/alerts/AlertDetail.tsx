import Container from '@cloudscape-design/components/container'
import KeyValuePairs from '@cloudscape-design/components/key-value-pairs'
import { getThirdpartyAlert } from '@wharf/contract'
import { DetailPage } from '../../components/DetailPage.tsx'
import { RelativeTime } from '../../components/RelativeTime.tsx'
import { Severity } from '../../components/Severity.tsx'
import { Status } from '../../components/Status.tsx'
import { useApiQuery } from '../../data/api-query.ts'
import { usePlatformNames } from '../../features/alert-platforms/use-platform-names.ts'
import { RecentDeliveries } from '../../features/deliveries/RecentDeliveries.tsx'
import { useMessages } from '../../i18n/use-messages.ts'
import { AlertNotes } from './actions/AlertNotes.tsx'
import { useAlertActions } from './actions/use-alert-actions.tsx'
import { LabelTable } from './LabelTable.tsx'
import { messages } from './messages.ts'

export function AlertDetail({ uuid }: { uuid: string }) {
  const t = useMessages(messages)
  const platformName = usePlatformNames()
  return (
    <DetailPage
      query={useApiQuery(getThirdpartyAlert, { uuid })}
      notFound={t.notFound}
      list={{ path: ['alerts'], label: t.toList }}
      title={({ name }) => name}
      description={({ annotations }) => annotations?.summary}
      actions={useAlertActions()}
    >
      {(alert) => (
        <>
          <AlertNotes alert={alert} />
          <Container>
            <KeyValuePairs
              columns={4}
              items={[
                { label: t.status, value: <Status value={alert.status} /> },
                { label: t.severity, value: <Severity value={alert.severity} /> },
                { label: t.platform, value: platformName(alert.platformUuid ?? '–') },
                { label: t.fingerprint, value: alert.fingerprint ?? '–' },
                { label: t.since, value: <RelativeTime time={alert.startsAt} /> },
                { label: t.until, value: <RelativeTime time={alert.endsAt} /> },
                { label: t.arrived, value: <RelativeTime time={alert.createDate} /> },
                { label: t.changed, value: <RelativeTime time={alert.lastOpDate} /> },
              ]}
            />
          </Container>
          <LabelTable title={t.labels} entries={alert.labels ?? {}} />
          <LabelTable title={t.annotations} entries={alert.annotations ?? {}} />
          <RecentDeliveries title={t.deliveries} more={t.allDeliveries} condition={`alertUuid=${uuid}`} />
        </>
      )}
    </DetailPage>
  )
}
