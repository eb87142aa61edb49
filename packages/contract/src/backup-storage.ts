import { connectionStatuses, resourceStates } from './hosts.ts'
import { inventory } from './operation.ts'
import { queryOperations } from './query.ts'
import { Choice, Description, Long, Name, orNull, Text, Timestamp, Uuid } from './schema.ts'

export const BackupStorageInventory = inventory('BackupStorageInventory', 'wharf-1.0.0', {
  uuid: Uuid(),
  name: Name(),
  description: orNull(Description()),
  type: Choice(['folder', 'sftp', 's3']),
  url: Text(2048),
  managementNodeUuid: orNull(Uuid({ description: 'The node whose folder it is, with type folder' })),
  state: Choice(resourceStates),
  status: Choice(connectionStatuses),
  totalCapacity: Long(),
  availableCapacity: Long(),
  createDate: Timestamp(),
  lastOpDate: Timestamp(),
})

export const { query: queryBackupStorage, get: getBackupStorage } = queryOperations({
  resource: 'backup-storage',
  noun: 'BackupStorage',
  plural: 'backup storage',
  path: '/v1/backup-storage',
  inventory: BackupStorageInventory,
})
