import Container from '@cloudscape-design/components/container'
import ContentLayout from '@cloudscape-design/components/content-layout'
import Header from '@cloudscape-design/components/header'
import KeyValuePairs from '@cloudscape-design/components/key-value-pairs'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { getThirdpartyAlert } from '@wharf/contract'
import { linkTo } from '../../frame/route.ts'
import { Failure } from '../../parts/Failure.tsx'
import { Gone } from '../../parts/Gone.tsx'
import { isGone } from '../../parts/is-gone.ts'
import { Status } from '../../parts/Status.tsx'
import { When } from '../../parts/When.tsx'
import { useAnswer } from '../../wharf/answers.ts'
import { useWords } from '../../words/words.ts'
import { RecentDeliveries } from '../chat/deliveries/RecentDeliveries.tsx'
import { Severity } from './Severity.tsx'
import { TextMap } from './TextMap.tsx'
import { usePlatformNames } from './use-platform-names.ts'
import { words } from './words.ts'

export function AlertDetail({ uuid }: { uuid: string }) {
  const say = useWords(words)
  const platformName = usePlatformNames()
  const { data, error } = useAnswer(getThirdpartyAlert, { uuid })
  const alert = data?.inventories?.[0]
  if (isGone(error)) return <Gone text={say.gone} href={linkTo(['alerts'])} toList={say.toList} />
  if (error) return <Failure error={error} />
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
              { label: say.status, value: <Status value={alert?.status} /> },
              { label: say.severity, value: <Severity value={alert?.severity} /> },
              { label: say.platform, value: platformName(alert?.platformUuid ?? '–') },
              { label: say.fingerprint, value: alert?.fingerprint ?? '–' },
              { label: say.since, value: <When time={alert?.startsAt} /> },
              { label: say.until, value: <When time={alert?.endsAt} /> },
              { label: say.arrived, value: <When time={alert?.createDate} /> },
              { label: say.changed, value: <When time={alert?.lastOpDate} /> },
            ]}
          />
        </Container>
        <TextMap title={say.labels} entries={alert?.labels ?? {}} />
        <TextMap title={say.annotations} entries={alert?.annotations ?? {}} />
        <RecentDeliveries title={say.deliveries} more={say.allDeliveries} condition={`alertUuid=${uuid}`} />
      </SpaceBetween>
    </ContentLayout>
  )
}
