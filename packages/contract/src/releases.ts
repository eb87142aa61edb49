import { storageErrors } from './errors.ts'
import { inventory, operation } from './operation.ts'
import { queryOperations } from './query.ts'
import { Choice, Description, Long, Name, optional, orNull, Text, Timestamp, Uuid } from './schema.ts'
import { creationFields, deletionFields } from './shared-fields.ts'

const since = 'wharf-1.1.0'
const resource = 'releases'

export const releaseStates = ['Published', 'Retired'] as const

export const ReleaseInventory = inventory({
  name: 'ReleaseInventory',
  since,
  events: ['Release'],
  table: 'releases',
  scope: 'byRole',
  fields: {
    uuid: Uuid(),
    name: Name({ description: 'The name of the software, from wharf.json' }),
    version: Name({ description: 'The version, from wharf.json; unique for a name' }),
    type: Name({ description: 'The package type, from wharf.json' }),
    sha256: Text(64, { description: 'The SHA-256 of the archive, in lower-case hex' }),
    md5sum: Text(32, { description: 'The MD5 of the archive, in lower-case hex' }),
    size: Long({ description: 'The size of the archive in bytes' }),
    softwarePackageUuid: Uuid({ description: 'The package on backup storage that contains the bytes' }),
    backupStorageUuid: Uuid({ description: 'The backup storage that contains the package' }),
    description: orNull(Description()),
    state: Choice(releaseStates, {
      description: 'Hosts can be rolled back to a Retired release, but it is not sent to further hosts',
    }),
    createDate: Timestamp({ description: 'When it was published' }),
    lastOpDate: Timestamp(),
  },
})

export const publishRelease = operation({
  name: 'PublishRelease',
  client: 'releases.publish',
  resource,
  method: 'POST',
  path: '/v1/releases',
  structure: 'params',
  summary: 'Publish a package on backup storage as a release; a package without a stored SHA-256 is read first',
  since,
  permission: 'operate',
  mode: 'job',
  timeoutSeconds: 12 * 60 * 60,
  fields: {
    softwarePackageUuid: Uuid({ description: 'An Uploaded package on backup storage whose wharf.json names install' }),
    description: optional(Description()),
    ...creationFields,
  },
  answer: { inventory: ReleaseInventory.schema },
  errors: ['SYS.1002', 'SYS.1003', 'SYS.1004', 'SYS.1005', 'SYS.1006', 'SYS.1012', 'SYS.1016', ...storageErrors],
})

export const { query: queryRelease, get: getRelease } = queryOperations({
  resource,
  noun: 'Release',
  client: 'releases',
  plural: 'releases',
  path: '/v1/releases',
  inventory: ReleaseInventory,
})

export const retireRelease = operation({
  name: 'RetireRelease',
  client: 'releases.retire',
  resource,
  method: 'PUT',
  path: '/v1/releases/{uuid}/actions',
  structure: 'retireRelease',
  summary: 'Retire a release: it is not sent to further hosts, but hosts can be rolled back to it',
  since,
  permission: 'operate',
  fields: {},
  answer: { inventory: ReleaseInventory.schema },
  errors: ['SYS.1003'],
})

export const deleteRelease = operation({
  name: 'DeleteRelease',
  client: 'releases.delete',
  resource,
  method: 'DELETE',
  path: '/v1/releases/{uuid}',
  summary: 'Delete a release that no host has installed; its package stays on backup storage',
  since,
  permission: 'administer',
  fields: deletionFields,
  answer: {},
  errors: ['SYS.1003', 'SYS.1004'],
})
