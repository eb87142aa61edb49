import CopyToClipboard from '@cloudscape-design/components/copy-to-clipboard'
import KeyValuePairs from '@cloudscape-design/components/key-value-pairs'
import SpaceBetween from '@cloudscape-design/components/space-between'
import type { queryThirdpartyPlatform } from '@wharf/contract'
import type { RecordOf } from '../../../parts/ResourceTable.tsx'
import { Status } from '../../../parts/Status.tsx'
import { When } from '../../../parts/When.tsx'
import { useWords } from '../../../words/words.ts'
import { words } from './words.ts'

export function PlatformFacts({ platform }: { platform: RecordOf<typeof queryThirdpartyPlatform> }) {
  const say = useWords(words)
  const { state, url = '', type, lastSyncDate } = platform
  return (
    <SpaceBetween size="m">
      <KeyValuePairs
        columns={3}
        items={[
          { label: say.state, value: <Status value={state} /> },
          { label: say.type, value: type ?? '–' },
          { label: say.lastSync, value: <When time={lastSyncDate} /> },
        ]}
      />
      <KeyValuePairs
        columns={1}
        items={[
          {
            label: say.url,
            value: (
              <CopyToClipboard
                variant="inline"
                textToCopy={url}
                textToDisplay={<span className="secret">{url}</span>}
                copyButtonAriaLabel={say.copy}
                copySuccessText={say.copied}
                copyErrorText={say.notCopied}
              />
            ),
          },
        ]}
      />
    </SpaceBetween>
  )
}
