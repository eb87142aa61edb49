import Container from '@cloudscape-design/components/container'
import KeyValuePairs from '@cloudscape-design/components/key-value-pairs'
import type { queryChatAppEndpoint } from '@wharf/contract'
import { RelativeTime } from '../../../components/RelativeTime.tsx'
import type { RecordOf } from '../../../components/ResourceTable.tsx'
import { Status } from '../../../components/Status.tsx'
import { usePlatformNames } from '../../../features/alert-platforms/use-platform-names.ts'
import { messages as eventMessages } from '../../../features/system-events/messages.ts'
import { useMessages } from '../../../i18n/use-messages.ts'
import { messages } from './messages.ts'

export function EndpointFacts({ endpoint }: { endpoint: RecordOf<typeof queryChatAppEndpoint> }) {
  const t = useMessages(messages)
  const platformName = usePlatformNames()
  const {
    type,
    state,
    url,
    language = 'en',
    atAll,
    platformUuids = [],
    ownEvents = [],
    description,
    createDate,
  } = endpoint
  const { events } = useMessages(eventMessages)
  return (
    <Container>
      <KeyValuePairs
        columns={2}
        items={[
          { label: t.type, value: type },
          { label: t.state, value: <Status value={state} /> },
          { label: t.url, value: url },
          { label: t.language, value: t.languages[language] },
          { label: t.atAll, value: atAll ? t.yes : t.no },
          {
            label: t.platforms,
            value: platformUuids.length === 0 ? t.everyPlatform : platformUuids.map(platformName).join(', '),
          },
          {
            label: t.ownEvents,
            value: ownEvents.length === 0 ? t.noOwnEvents : ownEvents.map((event) => events[event].name).join(', '),
          },
          { label: t.description, value: description || '–' },
          { label: t.created, value: <RelativeTime time={createDate} /> },
        ]}
      />
    </Container>
  )
}
