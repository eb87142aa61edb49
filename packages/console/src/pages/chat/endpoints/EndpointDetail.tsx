import Alert from '@cloudscape-design/components/alert'
import Container from '@cloudscape-design/components/container'
import Grid from '@cloudscape-design/components/grid'
import Header from '@cloudscape-design/components/header'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { deleteChatAppEndpoint, getChatAppEndpoint, testChatAppEndpoint, updateChatAppEndpoint } from '@wharf/contract'
import { linkTo } from '../../../browser/route.ts'
import { DetailPage } from '../../../components/DetailPage.tsx'
import { ErrorAlert } from '../../../components/ErrorAlert.tsx'
import { useApiMutation, useApiQuery } from '../../../data/api-query.ts'
import { MessagePreview } from '../../../features/chat-messages/MessagePreview.tsx'
import { messages as chatMessages } from '../../../features/chat-messages/messages.ts'
import { RecentDeliveries } from '../../../features/deliveries/RecentDeliveries.tsx'
import { useMessages } from '../../../i18n/use-messages.ts'
import { Persons } from '../persons/Persons.tsx'
import { usePersons } from '../persons/use-persons.ts'
import { DeleteEndpoint } from './DeleteEndpoint.tsx'
import { EndpointFacts } from './EndpointFacts.tsx'
import { messages } from './messages.ts'
import { SystemEventTest } from './SystemEventTest.tsx'

export function EndpointDetail({ uuid }: { uuid: string }) {
  const t = useMessages(messages)
  const preview = useMessages(chatMessages)
  const { persons, error: personsError } = usePersons(uuid)
  const test = useApiMutation(testChatAppEndpoint)
  return (
    <DetailPage
      query={useApiQuery(getChatAppEndpoint, { uuid })}
      notFound={t.notFound}
      list={{ path: ['chat'], label: t.toList }}
      title={({ name }) => name}
      actions={({ name = '' }) => [
        {
          label: t.delete,
          operation: deleteChatAppEndpoint,
          dialog: (onDismiss) => (
            <DeleteEndpoint uuid={uuid} name={name} persons={persons.length} onDismiss={onDismiss} />
          ),
        },
        { label: t.edit, operation: updateChatAppEndpoint, href: linkTo(['chat', uuid, 'edit']) },
        {
          label: t.test,
          isPrimary: true,
          operation: testChatAppEndpoint,
          call: { operation: testChatAppEndpoint, input: { uuid } },
          run: () => test.mutateAsync({ uuid }),
        },
      ]}
    >
      {(endpoint) => {
        const { type = 'DingTalk', atAll = false, language = 'en', platformUuids = [], ownEvents = [] } = endpoint
        return (
          <>
            {test.isSuccess ? (
              <Alert type="success" dismissible onDismiss={() => test.reset()}>
                {t.tested(type)}
              </Alert>
            ) : null}
            <Grid gridDefinition={[{ colspan: { default: 12, s: 7 } }, { colspan: { default: 12, s: 5 } }]}>
              <SpaceBetween size="l">
                <EndpointFacts endpoint={endpoint} />
                {personsError ? (
                  <ErrorAlert error={personsError} />
                ) : (
                  <Persons endpoint={{ uuid, type, atAll }} persons={persons} />
                )}
              </SpaceBetween>
              <SpaceBetween size="l">
                <Container header={<Header variant="h2">{preview.title}</Header>}>
                  <MessagePreview audience={{ type, atAll, language, persons }} platformUuids={platformUuids} />
                </Container>
                <SystemEventTest uuid={uuid} type={type} ownEvents={ownEvents} />
              </SpaceBetween>
            </Grid>
            <RecentDeliveries
              title={t.deliveries}
              more={t.allDeliveries}
              condition={`endpointUuid=${uuid}`}
              withEndpoint={false}
            />
          </>
        )
      }}
    </DetailPage>
  )
}
