import Alert from '@cloudscape-design/components/alert'
import Button from '@cloudscape-design/components/button'
import Container from '@cloudscape-design/components/container'
import ContentLayout from '@cloudscape-design/components/content-layout'
import Grid from '@cloudscape-design/components/grid'
import Header from '@cloudscape-design/components/header'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { deleteChatAppEndpoint, getChatAppEndpoint, testChatAppEndpoint, updateChatAppEndpoint } from '@wharf/contract'
import { useState } from 'react'
import { go, linkTo } from '../../../frame/route.ts'
import { Failure } from '../../../parts/Failure.tsx'
import { Gone } from '../../../parts/Gone.tsx'
import { isGone } from '../../../parts/is-gone.ts'
import { useRefusal } from '../../../parts/permission.ts'
import { useAnswer, useOperation } from '../../../wharf/answers.ts'
import { useWords } from '../../../words/words.ts'
import { RecentDeliveries } from '../deliveries/RecentDeliveries.tsx'
import { Persons } from '../persons/Persons.tsx'
import { usePersons } from '../persons/use-persons.ts'
import { MessagePreview } from '../preview/MessagePreview.tsx'
import { words as previewWords } from '../preview/words.ts'
import { DeleteEndpoint } from './DeleteEndpoint.tsx'
import { EndpointFacts } from './EndpointFacts.tsx'
import { words } from './words.ts'

export function EndpointDetail({ uuid }: { uuid: string }) {
  const say = useWords(words)
  const preview = useWords(previewWords)
  const refused = useRefusal()
  const { persons, error: unread } = usePersons(uuid)
  const [isDeleting, setDeleting] = useState(false)
  const test = useOperation(testChatAppEndpoint)
  const { data, error } = useAnswer(getChatAppEndpoint, { uuid })
  const endpoint = data?.inventories?.[0]
  if (isGone(error)) return <Gone text={say.gone} href={linkTo(['chat'])} toList={say.toList} />
  if (error) return <Failure error={error} />
  const { name = uuid, type = 'DingTalk', atAll = false, language = 'en', platformUuids = [] } = endpoint ?? {}
  return (
    <ContentLayout
      header={
        <Header
          variant="h1"
          actions={
            <SpaceBetween direction="horizontal" size="xs">
              <Button {...refused(deleteChatAppEndpoint)} onClick={() => setDeleting(true)}>
                {say.delete}
              </Button>
              <Button {...refused(updateChatAppEndpoint)} onClick={() => go(linkTo(['chat', uuid, 'edit']))}>
                {say.edit}
              </Button>
              <Button
                variant="primary"
                loading={test.isPending}
                {...refused(testChatAppEndpoint)}
                onClick={() => test.mutate({ uuid })}
              >
                {say.test}
              </Button>
            </SpaceBetween>
          }
        >
          {name}
        </Header>
      }
    >
      <SpaceBetween size="l">
        {test.isSuccess ? (
          <Alert type="success" dismissible onDismiss={() => test.reset()}>
            {say.tested(type)}
          </Alert>
        ) : null}
        {test.error ? <Failure error={test.error} /> : null}
        <Grid gridDefinition={[{ colspan: { default: 12, s: 7 } }, { colspan: { default: 12, s: 5 } }]}>
          <SpaceBetween size="l">
            <EndpointFacts endpoint={endpoint ?? {}} />
            {unread ? <Failure error={unread} /> : <Persons endpoint={{ uuid, type, atAll }} persons={persons} />}
          </SpaceBetween>
          <Container header={<Header variant="h2">{preview.title}</Header>}>
            {endpoint ? (
              <MessagePreview audience={{ type, atAll, language, persons }} platformUuids={platformUuids} />
            ) : null}
          </Container>
        </Grid>
        <RecentDeliveries
          title={say.deliveries}
          more={say.allDeliveries}
          condition={`endpointUuid=${uuid}`}
          withEndpoint={false}
        />
      </SpaceBetween>
      {isDeleting ? (
        <DeleteEndpoint uuid={uuid} name={name} persons={persons.length} onDismiss={() => setDeleting(false)} />
      ) : null}
    </ContentLayout>
  )
}
