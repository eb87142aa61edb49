import {
  changeBackupStorageState,
  deleteBackupStorage,
  type queryBackupStorage,
  reconnectBackupStorage,
} from '@wharf/contract'
import type { BulkAction, RecordOf } from '../../components/ResourceTable.tsx'
import { useStateActions } from '../../components/table/bulk/use-state-actions.ts'
import { useWharf } from '../../data/wharf-context.tsx'
import { useMessages } from '../../i18n/use-messages.ts'
import { messages } from './messages.ts'

type Storage = RecordOf<typeof queryBackupStorage>

export function useStorageBulkActions(): BulkAction<Storage>[] {
  const t = useMessages(messages)
  const { backupStorage } = useWharf()
  const stateActions = useStateActions<Storage>({
    operation: changeBackupStorageState,
    enableConsequences: t.enableConsequences,
    disableConsequences: t.disableConsequences,
    change: ({ uuid = '' }, stateEvent) => backupStorage.changeState(uuid, { stateEvent }),
  })
  return [
    {
      id: 'reconnect',
      label: t.reconnect,
      operation: reconnectBackupStorage,
      consequences: t.reconnectConsequences,
      run: ({ uuid = '' }) => backupStorage.reconnect(uuid),
      inputOf: ({ uuid }) => ({ uuid }),
    },
    ...stateActions,
    {
      id: 'delete',
      label: t.delete,
      operation: deleteBackupStorage,
      consequences: t.deleteConsequences,
      run: ({ uuid = '' }) => backupStorage.delete(uuid),
      inputOf: ({ uuid }) => ({ uuid }),
    },
  ]
}
