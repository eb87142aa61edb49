import { creationFields } from './creation.ts'
import { deletionFields } from './deletion.ts'
import { storageErrors } from './errors.ts'
import { connectionStatuses, maxPrivateKeyLength, resourceStates, stateEvents } from './hosts.ts'
import { inventory, operation } from './operation.ts'
import { queryOperations } from './query.ts'
import {
  Choice,
  Description,
  Long,
  Name,
  optional,
  orNull,
  Sealed,
  SecretText,
  Text,
  Timestamp,
  Uuid,
} from './schema.ts'
import { Type } from './type.ts'

const since = 'wharf-1.0.0'
const resource = 'backup-storage'

const types = ['folder', 'sftp', 's3'] as const

/** Credentials have separate fields, so an address can be shown. */
const url = Text(2048, {
  description: 'With folder file:///path, with sftp sftp://host:port/path, with s3 https://endpoint/bucket',
  examples: ['file:///srv/packages'],
})

export const BackupStorageInventory = inventory({
  name: 'BackupStorageInventory',
  since,
  events: ['BackupStorage'],
  table: 'backupStorage',
  fields: {
    uuid: Uuid(),
    name: Name(),
    description: orNull(Description()),
    type: Choice(types),
    url,
    managementNodeUuid: orNull(Uuid({ description: 'The node whose folder it is, with type folder' })),
    state: Choice(resourceStates),
    status: Choice(connectionStatuses),
    totalCapacity: Long(),
    availableCapacity: Long(),
    createDate: Timestamp(),
    lastOpDate: Timestamp(),
  },
  private: { hostKey: orNull(Text(16_384)), sealedCredentials: orNull(Sealed()) },
})

/** Half of a credential: sent and never shown, but trimmed like other text. */
const accessKeyId = Type.String({ maxLength: 128, writeOnly: true, description: 'With s3' })

export const addBackupStorage = operation({
  name: 'AddBackupStorage',
  client: 'backupStorage.add',
  resource,
  method: 'POST',
  path: '/v1/backup-storage',
  structure: 'params',
  summary: 'Add a place that keeps packages, after trying it',
  since,
  permission: 'administer',
  mode: 'job',
  timeoutSeconds: 30 * 60,
  fields: {
    name: Name(),
    type: Choice(types, { description: 'folder is on the management node that receives the call' }),
    url,
    description: optional(Description()),
    username: optional(Name({ description: 'With sftp, who signs in there' })),
    privateKey: optional(
      SecretText(maxPrivateKeyLength, {
        minLength: 1,
        description: 'With sftp, an SSH key without a passphrase; the key of the server itself when absent',
      }),
    ),
    hostKeyFingerprint: optional(
      Text(255, { description: 'With sftp, SHA256:…, which its host key must have; any key is pinned when absent' }),
    ),
    accessKeyId: optional(accessKeyId),
    secretAccessKey: optional(SecretText(1024, { minLength: 1, description: 'With s3' })),
    region: optional(Text(64, { description: 'With s3; us-east-1 when absent' })),
    ...creationFields,
  },
  answer: { inventory: BackupStorageInventory.schema },
  errors: ['SYS.1002', 'SYS.1003', 'SYS.1005', 'SYS.1012', 'SYS.1016', ...storageErrors],
})

export const { query: queryBackupStorage, get: getBackupStorage } = queryOperations({
  resource,
  noun: 'BackupStorage',
  client: 'backupStorage',
  plural: 'backup storage',
  path: '/v1/backup-storage',
  inventory: BackupStorageInventory,
})

export const changeBackupStorageState = operation({
  name: 'ChangeBackupStorageState',
  client: 'backupStorage.changeState',
  resource,
  method: 'PUT',
  path: '/v1/backup-storage/{uuid}/actions',
  structure: 'changeBackupStorageState',
  summary: 'Enable or disable a backup storage; packages go to enabled ones only',
  since,
  permission: 'administer',
  fields: { stateEvent: Choice(stateEvents) },
  answer: { inventory: BackupStorageInventory.schema },
  errors: ['SYS.1003'],
})

export const reconnectBackupStorage = operation({
  name: 'ReconnectBackupStorage',
  client: 'backupStorage.reconnect',
  resource,
  method: 'PUT',
  path: '/v1/backup-storage/{uuid}/actions',
  structure: 'reconnectBackupStorage',
  summary: 'Reconnect a backup storage immediately',
  since,
  permission: 'administer',
  fields: {},
  answer: { inventory: BackupStorageInventory.schema },
  errors: ['SYS.1003', 'SYS.1005', 'SYS.1012', 'SYS.1016', ...storageErrors],
})

export const deleteBackupStorage = operation({
  name: 'DeleteBackupStorage',
  client: 'backupStorage.delete',
  resource,
  method: 'DELETE',
  path: '/v1/backup-storage/{uuid}',
  summary: 'Forget a backup storage; refused while packages are on it',
  since,
  permission: 'administer',
  fields: deletionFields,
  answer: {},
  errors: ['SYS.1003', 'SYS.1004', 'SYS.1005'],
})
