import Container from '@cloudscape-design/components/container'
import Header from '@cloudscape-design/components/header'
import KeyValuePairs from '@cloudscape-design/components/key-value-pairs'
import Link from '@cloudscape-design/components/link'
import { getDelivery, resendDelivery } from '@wharf/contract'
import { linkTo } from '../../../browser/route.ts'
import { DetailPage } from '../../../components/DetailPage.tsx'
import { RelativeTime } from '../../../components/RelativeTime.tsx'
import { useApiQuery } from '../../../data/api-query.ts'
import { useWharf } from '../../../data/wharf-context.tsx'
import { DeliveryStatus } from '../../../features/deliveries/DeliveryStatus.tsx'
import { messages } from '../../../features/deliveries/messages.ts'
import { useEndpointNames } from '../../../features/deliveries/use-endpoint-names.ts'
import { messages as eventMessages } from '../../../features/system-events/messages.ts'
import { useMessages } from '../../../i18n/use-messages.ts'

export function DeliveryDetail({ uuid }: { uuid: string }) {
  const t = useMessages(messages)
  const { events } = useMessages(eventMessages)
  const { deliveries } = useWharf()
  const endpointName = useEndpointNames()
  return (
    <DetailPage
      query={useApiQuery(getDelivery, { uuid })}
      notFound={t.notFound}
      list={{ path: ['chat', 'deliveries'], label: t.toList }}
      title={({ title }) => title}
      actions={({ status }) => [
        {
          label: t.resend,
          operation: resendDelivery,
          disabledReason: status === 'Failed' ? undefined : t.onlyFailed,
          call: { operation: resendDelivery, input: { uuid } },
          run: () => deliveries.resend(uuid),
        },
      ]}
    >
      {(delivery) => (
        <>
          <Container>
            <KeyValuePairs
              columns={4}
              items={[
                { label: t.status, value: <DeliveryStatus status={delivery.status} /> },
                { label: t.attempts, value: delivery.attempts ?? '–' },
                {
                  label: t.endpoint,
                  value: delivery.endpointUuid ? (
                    <Link href={linkTo(['chat', delivery.endpointUuid])}>{endpointName(delivery.endpointUuid)}</Link>
                  ) : (
                    '–'
                  ),
                },
                delivery.ownEvent
                  ? { label: t.ownEvent, value: events[delivery.ownEvent].name }
                  : {
                      label: t.alert,
                      value: delivery.alertUuid ? (
                        <Link href={linkTo(['alerts', delivery.alertUuid])}>{t.toAlert}</Link>
                      ) : (
                        t.alertDeleted
                      ),
                    },
                { label: t.created, value: <RelativeTime time={delivery.createDate} /> },
                { label: t.next, value: <RelativeTime time={delivery.nextAttemptDate} /> },
                { label: t.delivered, value: <RelativeTime time={delivery.deliveredDate} /> },
                { label: t.reason, value: delivery.reason ?? '–' },
              ]}
            />
          </Container>
          <Container header={<Header variant="h2">{t.text}</Header>}>
            <pre className="log">{delivery.text}</pre>
          </Container>
        </>
      )}
    </DetailPage>
  )
}
