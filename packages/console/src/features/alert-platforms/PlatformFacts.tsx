import CopyToClipboard from '@cloudscape-design/components/copy-to-clipboard'
import KeyValuePairs from '@cloudscape-design/components/key-value-pairs'
import SpaceBetween from '@cloudscape-design/components/space-between'
import type { queryThirdpartyPlatform } from '@wharf/contract'
import { RelativeTime } from '../../components/RelativeTime.tsx'
import type { RecordOf } from '../../components/ResourceTable.tsx'
import { Status } from '../../components/Status.tsx'
import { useMessages } from '../../i18n/use-messages.ts'
import { messages } from './messages.ts'

export function PlatformFacts({ platform }: { platform: RecordOf<typeof queryThirdpartyPlatform> }) {
  const t = useMessages(messages)
  const { state, url = '', type, lastSyncDate } = platform
  return (
    <SpaceBetween size="m">
      <KeyValuePairs
        columns={3}
        items={[
          { label: t.state, value: <Status value={state} /> },
          { label: t.type, value: type ?? '–' },
          { label: t.lastSync, value: <RelativeTime time={lastSyncDate} /> },
        ]}
      />
      <KeyValuePairs
        columns={1}
        items={[
          {
            label: t.url,
            value: (
              <CopyToClipboard
                variant="inline"
                textToCopy={url}
                textToDisplay={<span className="secret">{url}</span>}
                copyButtonAriaLabel={t.copy}
                copySuccessText={t.copied}
                copyErrorText={t.notCopied}
              />
            ),
          },
        ]}
      />
    </SpaceBetween>
  )
}
