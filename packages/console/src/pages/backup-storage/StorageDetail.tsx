import Container from '@cloudscape-design/components/container'
import ContentLayout from '@cloudscape-design/components/content-layout'
import CopyToClipboard from '@cloudscape-design/components/copy-to-clipboard'
import Header from '@cloudscape-design/components/header'
import KeyValuePairs from '@cloudscape-design/components/key-value-pairs'
import Spinner from '@cloudscape-design/components/spinner'
import { queryBackupStorage } from '@wharf/contract'
import { linkTo } from '../../frame/route.ts'
import { Capacity } from '../../parts/Capacity.tsx'
import { Failure } from '../../parts/Failure.tsx'
import { Gone } from '../../parts/Gone.tsx'
import { Status } from '../../parts/Status.tsx'
import { When } from '../../parts/When.tsx'
import { words as partWords } from '../../parts/words.ts'
import { useAnswer } from '../../wharf/answers.ts'
import { useWords } from '../../words/words.ts'
import { StorageActions } from './StorageActions.tsx'
import type { StorageRecord } from './storage-record.ts'
import { words } from './words.ts'

export function StorageDetail({ uuid }: { uuid: string }) {
  const say = useWords(words)
  const { data, error, isPending } = useAnswer(queryBackupStorage, { q: [`uuid=${uuid}`] })
  const record = data?.inventories?.[0] as StorageRecord | undefined
  if (error) return <Failure error={error} />
  if (isPending) return <Spinner size="large" />
  if (record === undefined) return <Gone text={say.gone} href={linkTo(['backup-storage'])} toList={say.toList} />
  return (
    <ContentLayout
      header={
        <Header
          variant="h1"
          {...(record.description ? { description: record.description } : {})}
          actions={<StorageActions record={record} />}
        >
          {record.name}
        </Header>
      }
    >
      <Facts record={record} />
    </ContentLayout>
  )
}

function Facts({ record }: { record: StorageRecord }) {
  const say = useWords(words)
  const parts = useWords(partWords)
  const copied = (text: string) => (
    <CopyToClipboard
      variant="inline"
      textToCopy={text}
      copyButtonAriaLabel={`${parts.copy} ${text}`}
      copySuccessText={parts.copied}
      copyErrorText={parts.failed}
    />
  )
  return (
    <Container>
      <KeyValuePairs
        columns={3}
        items={[
          { label: say.status, value: <Status value={record.status} /> },
          { label: say.state, value: <Status value={record.state} /> },
          { label: say.type, value: say.types[record.type] },
          {
            label: say.capacity,
            value: <Capacity total={record.totalCapacity} available={record.availableCapacity} />,
          },
          { label: say.url, value: copied(record.url) },
          { label: say.uuid, value: copied(record.uuid) },
          { label: say.created, value: <When time={record.createDate} /> },
          { label: say.changed, value: <When time={record.lastOpDate} /> },
        ]}
      />
    </Container>
  )
}
