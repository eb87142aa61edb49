import Container from '@cloudscape-design/components/container'
import CopyToClipboard from '@cloudscape-design/components/copy-to-clipboard'
import KeyValuePairs from '@cloudscape-design/components/key-value-pairs'
import { Status } from '../../parts/Status.tsx'
import { When } from '../../parts/When.tsx'
import { words as partWords } from '../../parts/words.ts'
import { useFigures } from '../../words/figures.ts'
import { useWords } from '../../words/words.ts'
import { HostLink } from './HostLink.tsx'
import type { PackageRecord } from './package-record.ts'
import { StorageLink } from './StorageLink.tsx'
import { words } from './words.ts'

export function PackageFacts({ record }: { record: PackageRecord }) {
  const say = useWords(words)
  const parts = useWords(partWords)
  const figures = useFigures()
  const { hostUuid } = record
  const copied = (text: string | null) =>
    text ? (
      <CopyToClipboard
        variant="inline"
        textToCopy={text}
        copyButtonAriaLabel={`${parts.copy} ${text}`}
        copySuccessText={parts.copied}
        copyErrorText={parts.failed}
      />
    ) : (
      '–'
    )
  return (
    <Container>
      <KeyValuePairs
        columns={3}
        items={[
          { label: say.status, value: <Status value={record.status} /> },
          { label: say.type, value: record.type },
          { label: say.size, value: record.size ? figures.bytes(record.size) : '–' },
          {
            label: hostUuid ? say.place : say.onStorage,
            value: hostUuid ? <HostLink uuid={hostUuid} /> : <StorageLink packageUuid={record.uuid} />,
          },
          { label: say.installPath, value: copied(record.installPath) },
          { label: say.unpacked, value: copied(record.unzipInstallPath) },
          { label: say.created, value: <When time={record.createDate} /> },
          { label: say.changed, value: <When time={record.lastOpDate} /> },
          { label: say.md5, value: copied(record.md5sum) },
          { label: say.uuid, value: copied(record.uuid) },
        ]}
      />
    </Container>
  )
}
