import Container from '@cloudscape-design/components/container'
import ContentLayout from '@cloudscape-design/components/content-layout'
import CopyToClipboard from '@cloudscape-design/components/copy-to-clipboard'
import Header from '@cloudscape-design/components/header'
import KeyValuePairs from '@cloudscape-design/components/key-value-pairs'
import Spinner from '@cloudscape-design/components/spinner'
import { queryBackupStorage } from '@wharf/contract'
import { linkTo } from '../../browser/route.ts'
import { Capacity } from '../../components/Capacity.tsx'
import { DeletedNotice } from '../../components/DeletedNotice.tsx'
import { ErrorAlert } from '../../components/ErrorAlert.tsx'
import { messages as componentMessages } from '../../components/messages.ts'
import { RelativeTime } from '../../components/RelativeTime.tsx'
import { Status } from '../../components/Status.tsx'
import { useApiQuery } from '../../data/api-query.ts'
import { useMessages } from '../../i18n/messages.ts'
import { messages } from './messages.ts'
import { StorageActions } from './StorageActions.tsx'
import type { StorageRecord } from './storage-record.ts'

export function StorageDetail({ uuid }: { uuid: string }) {
  const t = useMessages(messages)
  const { data, error, isPending } = useApiQuery(queryBackupStorage, { q: [`uuid=${uuid}`] })
  const record = data?.inventories?.[0] as StorageRecord | undefined
  if (error) return <ErrorAlert error={error} />
  if (isPending) return <Spinner size="large" />
  if (record === undefined) return <DeletedNotice text={t.gone} href={linkTo(['backup-storage'])} toList={t.toList} />
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
  const t = useMessages(messages)
  const parts = useMessages(componentMessages)
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
          { label: t.status, value: <Status value={record.status} /> },
          { label: t.state, value: <Status value={record.state} /> },
          { label: t.type, value: t.types[record.type] },
          {
            label: t.capacity,
            value: <Capacity total={record.totalCapacity} available={record.availableCapacity} />,
          },
          { label: t.url, value: copied(record.url) },
          { label: t.uuid, value: copied(record.uuid) },
          { label: t.created, value: <RelativeTime time={record.createDate} /> },
          { label: t.changed, value: <RelativeTime time={record.lastOpDate} /> },
        ]}
      />
    </Container>
  )
}
