import Container from '@cloudscape-design/components/container'
import KeyValuePairs from '@cloudscape-design/components/key-value-pairs'
import type { queryChatAppEndpoint } from '@wharf/contract'
import type { RecordOf } from '../../../parts/ResourceTable.tsx'
import { Status } from '../../../parts/Status.tsx'
import { When } from '../../../parts/When.tsx'
import { useWords } from '../../../words/words.ts'
import { usePlatformNames } from '../../alerts/use-platform-names.ts'
import { words } from './words.ts'

export function EndpointFacts({ endpoint }: { endpoint: RecordOf<typeof queryChatAppEndpoint> }) {
  const say = useWords(words)
  const platformName = usePlatformNames()
  const { type, state, url, language = 'en', atAll, platformUuids = [], description, createDate } = endpoint
  return (
    <Container>
      <KeyValuePairs
        columns={2}
        items={[
          { label: say.type, value: type },
          { label: say.state, value: <Status value={state} /> },
          { label: say.url, value: url },
          { label: say.language, value: say.languages[language] },
          { label: say.atAll, value: atAll ? say.yes : say.no },
          {
            label: say.platforms,
            value: platformUuids.length === 0 ? say.everyPlatform : platformUuids.map(platformName).join(', '),
          },
          { label: say.description, value: description || '–' },
          { label: say.created, value: <When time={createDate} /> },
        ]}
      />
    </Container>
  )
}
