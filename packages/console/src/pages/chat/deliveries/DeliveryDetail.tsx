import Container from '@cloudscape-design/components/container'
import ContentLayout from '@cloudscape-design/components/content-layout'
import Header from '@cloudscape-design/components/header'
import KeyValuePairs from '@cloudscape-design/components/key-value-pairs'
import Link from '@cloudscape-design/components/link'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { getDelivery } from '@wharf/contract'
import { linkTo } from '../../../browser/route.ts'
import { DeletedNotice } from '../../../components/DeletedNotice.tsx'
import { ErrorAlert } from '../../../components/ErrorAlert.tsx'
import { isNotFound } from '../../../components/is-not-found.ts'
import { RelativeTime } from '../../../components/RelativeTime.tsx'
import { Status } from '../../../components/Status.tsx'
import { useApiQuery } from '../../../data/api-query.ts'
import { messages } from '../../../features/deliveries/messages.ts'
import { useEndpointNames } from '../../../features/deliveries/use-endpoint-names.ts'
import { useMessages } from '../../../i18n/messages.ts'
import { Resend } from './Resend.tsx'

export function DeliveryDetail({ uuid }: { uuid: string }) {
  const t = useMessages(messages)
  const endpointName = useEndpointNames()
  const { data, error } = useApiQuery(getDelivery, { uuid })
  const delivery = data?.inventories?.[0]
  const { title = uuid, endpointUuid, alertUuid } = delivery ?? {}
  if (isNotFound(error))
    return <DeletedNotice text={t.unknown} href={linkTo(['chat', 'deliveries'])} toList={t.toList} />
  if (error) return <ErrorAlert error={error} />
  return (
    <ContentLayout
      header={
        <Header variant="h1" actions={<Resend deliveries={delivery ? [delivery] : []} />}>
          {title}
        </Header>
      }
    >
      <SpaceBetween size="l">
        <Container>
          <KeyValuePairs
            columns={4}
            items={[
              { label: t.status, value: <Status value={delivery?.status} /> },
              { label: t.attempts, value: delivery?.attempts ?? '–' },
              {
                label: t.endpoint,
                value: endpointUuid ? (
                  <Link href={linkTo(['chat', endpointUuid])}>{endpointName(endpointUuid)}</Link>
                ) : (
                  '–'
                ),
              },
              {
                label: t.alert,
                value: alertUuid ? <Link href={linkTo(['alerts', alertUuid])}>{t.toAlert}</Link> : t.gone,
              },
              { label: t.created, value: <RelativeTime time={delivery?.createDate} /> },
              { label: t.next, value: <RelativeTime time={delivery?.nextAttemptDate} /> },
              { label: t.delivered, value: <RelativeTime time={delivery?.deliveredDate} /> },
              { label: t.reason, value: delivery?.reason ?? '–' },
            ]}
          />
        </Container>
        <Container header={<Header variant="h2">{t.text}</Header>}>
          <pre className="log">{delivery?.text}</pre>
        </Container>
      </SpaceBetween>
    </ContentLayout>
  )
}
