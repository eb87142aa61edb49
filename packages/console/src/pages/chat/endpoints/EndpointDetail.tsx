import Alert from '@cloudscape-design/components/alert'
import Button from '@cloudscape-design/components/button'
import Container from '@cloudscape-design/components/container'
import ContentLayout from '@cloudscape-design/components/content-layout'
import Grid from '@cloudscape-design/components/grid'
import Header from '@cloudscape-design/components/header'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { deleteChatAppEndpoint, getChatAppEndpoint, testChatAppEndpoint, updateChatAppEndpoint } from '@wharf/contract'
import { useState } from 'react'
import { linkTo, navigate } from '../../../browser/route.ts'
import { DeletedNotice } from '../../../components/DeletedNotice.tsx'
import { ErrorAlert } from '../../../components/ErrorAlert.tsx'
import { isNotFound } from '../../../components/is-not-found.ts'
import { useRefusal } from '../../../components/permission.ts'
import { useApiMutation, useApiQuery } from '../../../data/api-query.ts'
import { MessagePreview } from '../../../features/chat-messages/MessagePreview.tsx'
import { messages as chatMessages } from '../../../features/chat-messages/messages.ts'
import { RecentDeliveries } from '../../../features/deliveries/RecentDeliveries.tsx'
import { useMessages } from '../../../i18n/messages.ts'
import { Persons } from '../persons/Persons.tsx'
import { usePersons } from '../persons/use-persons.ts'
import { DeleteEndpoint } from './DeleteEndpoint.tsx'
import { EndpointFacts } from './EndpointFacts.tsx'
import { messages } from './messages.ts'

export function EndpointDetail({ uuid }: { uuid: string }) {
  const t = useMessages(messages)
  const preview = useMessages(chatMessages)
  const refused = useRefusal()
  const { persons, error: unread } = usePersons(uuid)
  const [isDeleting, setDeleting] = useState(false)
  const test = useApiMutation(testChatAppEndpoint)
  const { data, error } = useApiQuery(getChatAppEndpoint, { uuid })
  const endpoint = data?.inventories?.[0]
  if (isNotFound(error)) return <DeletedNotice text={t.gone} href={linkTo(['chat'])} toList={t.toList} />
  if (error) return <ErrorAlert error={error} />
  const { name = uuid, type = 'DingTalk', atAll = false, language = 'en', platformUuids = [] } = endpoint ?? {}
  return (
    <ContentLayout
      header={
        <Header
          variant="h1"
          actions={
            <SpaceBetween direction="horizontal" size="xs">
              <Button {...refused(deleteChatAppEndpoint)} onClick={() => setDeleting(true)}>
                {t.delete}
              </Button>
              <Button {...refused(updateChatAppEndpoint)} onClick={() => navigate(linkTo(['chat', uuid, 'edit']))}>
                {t.edit}
              </Button>
              <Button
                variant="primary"
                loading={test.isPending}
                {...refused(testChatAppEndpoint)}
                onClick={() => test.mutate({ uuid })}
              >
                {t.test}
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
            {t.tested(type)}
          </Alert>
        ) : null}
        {test.error ? <ErrorAlert error={test.error} /> : null}
        <Grid gridDefinition={[{ colspan: { default: 12, s: 7 } }, { colspan: { default: 12, s: 5 } }]}>
          <SpaceBetween size="l">
            <EndpointFacts endpoint={endpoint ?? {}} />
            {unread ? <ErrorAlert error={unread} /> : <Persons endpoint={{ uuid, type, atAll }} persons={persons} />}
          </SpaceBetween>
          <Container header={<Header variant="h2">{preview.title}</Header>}>
            {endpoint ? (
              <MessagePreview audience={{ type, atAll, language, persons }} platformUuids={platformUuids} />
            ) : null}
          </Container>
        </Grid>
        <RecentDeliveries
          title={t.deliveries}
          more={t.allDeliveries}
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
