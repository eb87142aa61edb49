import Container from '@cloudscape-design/components/container'
import KeyValuePairs from '@cloudscape-design/components/key-value-pairs'
import {
  changeBackupStorageState,
  deleteBackupStorage,
  queryBackupStorage,
  reconnectBackupStorage,
  updateBackupStorage,
} from '@wharf/contract'
import { linkTo, navigate } from '../../browser/route.ts'
import { Capacity } from '../../components/Capacity.tsx'
import { CopiedText } from '../../components/CopiedText.tsx'
import { DetailPage } from '../../components/DetailPage.tsx'
import { ProbeFailure } from '../../components/ProbeFailure.tsx'
import type { RecordAction } from '../../components/RecordActions.tsx'
import { RelativeTime } from '../../components/RelativeTime.tsx'
import type { RecordOf } from '../../components/ResourceTable.tsx'
import { Status } from '../../components/Status.tsx'
import { stateAction } from '../../components/state-action.ts'
import { UserTags } from '../../components/user-tags/UserTags.tsx'
import { useApiQuery } from '../../data/api-query.ts'
import { useWharf } from '../../data/wharf-context.tsx'
import { useMessages } from '../../i18n/use-messages.ts'
import { EditStorage } from './edit/EditStorage.tsx'
import { messages } from './messages.ts'

type StorageRecord = Required<RecordOf<typeof queryBackupStorage>>

export function StorageDetail({ uuid }: { uuid: string }) {
  const t = useMessages(messages)
  const { backupStorage } = useWharf()
  const query = useApiQuery(queryBackupStorage, { q: [`uuid=${uuid}`] })
  const actions = (record: Partial<StorageRecord>): RecordAction[] => {
    const { name = '', state } = record
    return [
      {
        label: t.edit,
        operation: updateBackupStorage,
        dialog: (onDismiss) => <EditStorage storage={record} onDismiss={onDismiss} />,
      },
      {
        label: t.reconnect,
        operation: reconnectBackupStorage,
        call: { operation: reconnectBackupStorage, input: { uuid } },
        run: () => backupStorage.reconnect(uuid),
      },
      stateAction(t, {
        uuid,
        name,
        state,
        operation: changeBackupStorageState,
        change: (stateEvent) => backupStorage.changeState(uuid, { stateEvent }),
      }),
      {
        label: t.delete,
        operation: deleteBackupStorage,
        call: { operation: deleteBackupStorage, input: { uuid } },
        confirm: {
          title: t.deleteTitle(name),
          consequences: t.deleteConsequences,
        },
        run: async () => {
          await backupStorage.delete(uuid)
          navigate(linkTo(['backup-storage']))
        },
      },
    ]
  }
  return (
    <DetailPage
      query={query}
      notFound={t.notFound}
      list={{ path: ['backup-storage'], label: t.toList }}
      title={({ name }) => name}
      description={({ description }) => description}
      actions={actions}
    >
      {(record) => (
        <>
          <ProbeFailure record={record} />
          <StorageFacts record={record as StorageRecord} />
          <UserTags resourceUuid={uuid} resourceType="BackupStorage" list={['backup-storage']} />
        </>
      )}
    </DetailPage>
  )
}

function StorageFacts({ record }: { record: StorageRecord }) {
  const t = useMessages(messages)
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
          { label: t.url, value: <CopiedText text={record.url} /> },
          { label: t.uuid, value: <CopiedText text={record.uuid} /> },
          { label: t.created, value: <RelativeTime time={record.createDate} /> },
          { label: t.changed, value: <RelativeTime time={record.lastOpDate} /> },
        ]}
      />
    </Container>
  )
}
