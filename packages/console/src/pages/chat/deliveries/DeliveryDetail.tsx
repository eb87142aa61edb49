import Container from '@cloudscape-design/components/container'
import ContentLayout from '@cloudscape-design/components/content-layout'
import Header from '@cloudscape-design/components/header'
import KeyValuePairs from '@cloudscape-design/components/key-value-pairs'
import Link from '@cloudscape-design/components/link'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { getDelivery } from '@wharf/contract'
import { linkTo } from '../../../frame/route.ts'
import { Failure } from '../../../parts/Failure.tsx'
import { Gone } from '../../../parts/Gone.tsx'
import { isGone } from '../../../parts/is-gone.ts'
import { Status } from '../../../parts/Status.tsx'
import { When } from '../../../parts/When.tsx'
import { useAnswer } from '../../../wharf/answers.ts'
import { useWords } from '../../../words/words.ts'
import { useEndpointNames } from '../use-endpoint-names.ts'
import { Resend } from './Resend.tsx'
import { words } from './words.ts'

export function DeliveryDetail({ uuid }: { uuid: string }) {
  const say = useWords(words)
  const endpointName = useEndpointNames()
  const { data, error } = useAnswer(getDelivery, { uuid })
  const delivery = data?.inventories?.[0]
  const { title = uuid, endpointUuid, alertUuid } = delivery ?? {}
  if (isGone(error)) return <Gone text={say.unknown} href={linkTo(['chat', 'deliveries'])} toList={say.toList} />
  if (error) return <Failure error={error} />
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
              { label: say.status, value: <Status value={delivery?.status} /> },
              { label: say.attempts, value: delivery?.attempts ?? '–' },
              {
                label: say.endpoint,
                value: endpointUuid ? (
                  <Link href={linkTo(['chat', endpointUuid])}>{endpointName(endpointUuid)}</Link>
                ) : (
                  '–'
                ),
              },
              {
                label: say.alert,
                value: alertUuid ? <Link href={linkTo(['alerts', alertUuid])}>{say.toAlert}</Link> : say.gone,
              },
              { label: say.created, value: <When time={delivery?.createDate} /> },
              { label: say.next, value: <When time={delivery?.nextAttemptDate} /> },
              { label: say.delivered, value: <When time={delivery?.deliveredDate} /> },
              { label: say.reason, value: delivery?.reason ?? '–' },
            ]}
          />
        </Container>
        <Container header={<Header variant="h2">{say.text}</Header>}>
          <pre className="log">{delivery?.text}</pre>
        </Container>
      </SpaceBetween>
    </ContentLayout>
  )
}
