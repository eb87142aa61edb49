import { storageErrors } from './errors.ts'
import { connectionStatuses, maxPrivateKeyLength, resourceStates, stateEvents } from './hosts.ts'
import { inventory, operation } from './operation.ts'
import { queryOperations } from './query.ts'
import {
  Choice,
  Description,
  Integer,
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
import { clearable, creationFields, deletionFields, probeFailure } from './shared-fields.ts'
import { Type } from './type.ts'

const since = 'wharf-1.0.0'
const resource = 'backup-storage'

const types = ['folder', 'sftp', 's3'] as const

/** Credentials are separate fields, so that the URL can be shown. */
const url = Text(2048, {
  description: 'folder: file:///path; sftp: sftp://host:port/path; s3: https://endpoint/bucket',
  examples: ['file:///srv/packages'],
})

export const BackupStorageInventory = inventory({
  name: 'BackupStorageInventory',
  since,
  events: ['BackupStorage'],
  table: 'backupStorage',
  scope: 'byRole',
  routine: ['totalCapacity', 'availableCapacity', 'isAlmostFull'],
  fields: {
    uuid: Uuid(),
    name: Name(),
    description: orNull(Description()),
    type: Choice(types, { description: 'Where the files are: a folder of a node, an SFTP server or an S3 bucket' }),
    url,
    managementNodeUuid: orNull(Uuid({ description: 'With type folder, the management node that contains the folder' })),
    state: Choice(resourceStates, {
      description: 'Packages are neither stored on nor installed from disabled storage; stored packages remain',
    }),
    status: Choice(connectionStatuses, {
      description: 'Connecting until it has been added; then the result of the last probe',
    }),
    ...probeFailure,
    totalCapacity: Long({ description: 'The size in bytes; 0 when the storage does not report it, as s3' }),
    availableCapacity: Long({ description: 'The free space in bytes; 0 when the storage does not report it, as s3' }),
    createDate: Timestamp(),
    lastOpDate: Timestamp(),
  },
  private: {
    hostKey: orNull(Text(16_384)),
    sealedCredentials: orNull(Sealed()),
    /** 1 since the probe that found little free space, until one finds more. */
    isAlmostFull: orNull(Integer(0, 1)),
  },
})

/** Part of a credential: never returned, but trimmed like other text. */
const accessKeyId = Type.String({ maxLength: 128, writeOnly: true, description: 's3 only' })

export const addBackupStorage = operation({
  name: 'AddBackupStorage',
  client: 'backupStorage.add',
  resource,
  method: 'POST',
  path: '/v1/backup-storage',
  structure: 'params',
  summary: 'Add a backup storage after testing it',
  since,
  permission: 'administer',
  mode: 'job',
  timeoutSeconds: 30 * 60,
  fields: {
    name: Name(),
    type: Choice(types, { description: 'folder: a folder on the management node that receives the call' }),
    url,
    description: optional(Description()),
    username: optional(Name({ description: 'sftp only: the user that signs in' })),
    privateKey: optional(
      SecretText(maxPrivateKeyLength, {
        minLength: 1,
        description:
          'sftp only: an SSH private key without a passphrase; defaults to the key of the server. Required of a caller with a scope',
      }),
    ),
    hostKeyFingerprint: optional(
      Text(255, {
        description: 'sftp only: the SHA256:… fingerprint that the host key must have; by default any key is pinned',
      }),
    ),
    accessKeyId: optional(accessKeyId),
    secretAccessKey: optional(SecretText(1024, { minLength: 1, description: 's3 only' })),
    region: optional(Text(64, { description: 's3 only; defaults to us-east-1' })),
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
  summary: 'Enable or disable a backup storage; only enabled ones receive packages',
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
  summary: 'Reconnect a backup storage now, without waiting for the next probe',
  since,
  permission: 'administer',
  fields: {},
  answer: { inventory: BackupStorageInventory.schema },
  errors: ['SYS.1003', 'SYS.1005', 'SYS.1012', 'SYS.1016', ...storageErrors],
})

export const updateBackupStorage = operation({
  name: 'UpdateBackupStorage',
  client: 'backupStorage.update',
  resource,
  method: 'PUT',
  path: '/v1/backup-storage/{uuid}/actions',
  structure: 'updateBackupStorage',
  summary:
    'Change a backup storage. A changed url or credential is tested before it is saved, and its packages must be found there; otherwise nothing changes',
  since: 'wharf-1.1.0',
  permission: 'administer',
  mode: 'job',
  timeoutSeconds: 30 * 60,
  fields: {
    name: optional(Name()),
    description: optional(Description()),
    url: optional(Text(2048, { description: 'Of the same type; the packages must already be there' })),
    username: optional(Name({ description: 'sftp only: the user that signs in' })),
    privateKey: optional(
      SecretText(maxPrivateKeyLength, {
        minLength: 1,
        description: 'sftp only: an SSH private key without a passphrase; clear it to use the key of the server',
      }),
    ),
    hostKeyFingerprint: optional(
      Text(255, {
        description: 'sftp only: the SHA256:… fingerprint that the host key must have; that key is pinned',
      }),
    ),
    accessKeyId: optional(accessKeyId),
    secretAccessKey: optional(SecretText(1024, { minLength: 1, description: 's3 only' })),
    region: optional(Text(64, { description: 's3 only' })),
    ...clearable('description', 'privateKey', 'region'),
  },
  answer: { inventory: BackupStorageInventory.schema },
  errors: ['SYS.1003', 'SYS.1005', 'SYS.1006', 'SYS.1012', 'SYS.1016', ...storageErrors],
})

export const deleteBackupStorage = operation({
  name: 'DeleteBackupStorage',
  client: 'backupStorage.delete',
  resource,
  method: 'DELETE',
  path: '/v1/backup-storage/{uuid}',
  summary: 'Remove a backup storage from Wharf; rejected while packages are on it',
  since,
  permission: 'administer',
  fields: deletionFields,
  answer: {},
  errors: ['SYS.1003', 'SYS.1004', 'SYS.1005'],
})
