import { hostErrors, storageErrors } from './errors.ts'
import { inventory, operation } from './operation.ts'
import { packageHealths, packageStatuses } from './package-statuses.ts'
import { queryOperations } from './query.ts'
import { Choice, Flag, List, Long, Name, optional, orNull, Sealed, Text, Timestamp, Uuid, Verbatim } from './schema.ts'
import { creationFields, deletionFields } from './shared-fields.ts'
import { Type } from './type.ts'

const since = '4.10.20'
const ours = 'wharf-1.0.0'
const fleet = 'wharf-1.1.0'
const resource = 'software-packages'

const type = Text(255, { pattern: '^[A-Za-z0-9][A-Za-z0-9._-]*$', description: 'The package type' })
const url = Text(2048, {
  description:
    'The source of the package: an http, https or file URL, upload://<name> to upload it in slices, or, for a host, release://<uuid> or release://<name>@<version>, where latest is the latest version. The system tag uploadSoftwarePackage::<MD5 or SHA-256 in hex> announces its digest, which is verified at the end',
})
// no pattern: an invalid path has an error code of its own
const path = (description: string) => Text(1024, { description })

export const SoftwarePackageInventory = inventory({
  name: 'SoftwarePackageInventory',
  since,
  events: ['SoftwarePackage'],
  table: 'softwarePackages',
  scope: { host: 'hostUuid', otherwise: 'byRole' },
  routine: [
    'lastVerifiedDate',
    'nextVerifyDate',
    'sentInstallPath',
    'topFolder',
    'manifest',
    'hookFiles',
    'upgradeLock',
    'supersededDate',
  ],
  fields: {
    uuid: Uuid(),
    name: Name(),
    hostUuid: orNull(Uuid({ description: 'The host that contains it; null on backup storage' })),
    managementNodeUuid: orNull(Uuid({ description: 'The node that transferred it; null on backup storage' })),
    installPath: path('The path of the file; on backup storage as it was sent, relative to the root of the storage'),
    unzipInstallPath: orNull(
      path('The folder with the unpacked files; null when it is not an archive or on backup storage'),
    ),
    type,
    md5sum: orNull(Text(32, { description: 'Null until the transfer is complete' })),
    status: Choice(packageStatuses, { description: 'The last action on the package: in progress, done or failed' }),
    size: Long({ description: 'The size in bytes; 0 until it is known' }),
    backupStorageUuid: orNull(
      Uuid({ since: fleet, description: 'The backup storage that contains it; null when it is only on a host' }),
    ),
    version: orNull(Name({ since: fleet, description: 'The version in its wharf.json; null without one' })),
    releaseUuid: orNull(
      Uuid({ since: fleet, description: 'The release that its bytes belong to; null when they were never published' }),
    ),
    health: orNull(
      Choice(packageHealths, {
        since: fleet,
        description: 'The result of its last verification; null when it is not installed',
      }),
    ),
    healthError: orNull(
      Text(4096, {
        since: fleet,
        description: 'Why it is Unhealthy: the code and the text of the error of its last verification; null otherwise',
      }),
    ),
    lastVerifiedDate: orNull(
      Timestamp({ since: fleet, description: 'When it was last verified; null when it never was' }),
    ),
    createDate: Timestamp(),
    lastOpDate: Timestamp(),
  },
  private: {
    /** On backup storage, the path as the caller sent it; null on hosts and in rows of an older version. `installPath` is then relative to the root of the storage, in one canonical form. */
    sentInstallPath: orNull(Text(1024)),
    /** Null until its content was inspected. */
    format: orNull(Choice(['tar', 'tar.gz', 'tar.zst', 'zip', 'file'])),
    /** The single folder of the archive that contains wharf.json, when that is not at the root. */
    topFolder: orNull(Text(1024)),
    /** wharf.json, when the package has one. */
    manifest: orNull(Text(262_144)),
    /** The name in wharf.json, by which the packages of one piece of software on a host are found; null without one. */
    softwareName: orNull(Name()),
    /** Null where it was not computed: for packages of an older version, and those sent directly to a host. */
    sha256: orNull(Text(64)),
    /** The configuration with which its installation took effect, which a rollback needs. */
    sealedInstallConfig: orNull(Sealed()),
    /** The version that an upgrade to this one replaced, to which it can be rolled back. */
    previousUuid: orNull(Uuid()),
    /** When an upgrade or a rollback replaced it by another version. */
    supersededDate: orNull(Timestamp()),
    /** Host and software name, while a job installs it in place of another version; unique. */
    upgradeLock: orNull(Text(512)),
    /** When it is verified next; null until it is scheduled. */
    nextVerifyDate: orNull(Timestamp()),
    /** JSON: the files that its hooks name, with size and checksum; null in rows of an older version. */
    hookFiles: orNull(Text(262_144)),
    /** The cluster of a removed plugin that runs on it: reattaching needs the configuration. */
    sealedCluster: orNull(Sealed()),
  },
})

export const { query: querySoftwarePackage, get: getSoftwarePackage } = queryOperations({
  resource,
  noun: 'SoftwarePackage',
  client: 'softwarePackages',
  plural: 'software packages',
  path: '/v1/software-package',
  inventory: SoftwarePackageInventory,
})

const uploadAnswer = {
  inventory: SoftwarePackageInventory.schema,
  systemTags: optional(
    List(Text(4096), { description: 'With upload://, one uploadUrl::<url> that receives the slices (tus 1.0.0)' }),
  ),
}

export const uploadSoftwarePackage = operation({
  name: 'UploadSoftwarePackage',
  client: 'softwarePackages.upload',
  resource,
  method: 'POST',
  path: '/v1/software-packages/upload',
  structure: 'params',
  summary: 'Transfer a software package to a host and unpack it',
  since,
  permission: 'operate',
  mode: 'job',
  timeoutSeconds: 72 * 60 * 60,
  configTag: 'uploadConfig',
  fields: {
    name: Name(),
    type,
    managementNodeUuid: Uuid({ description: 'The management node that runs the operation' }),
    hostUuid: Uuid({ description: 'The host to transfer it to' }),
    url,
    installPath: path('The absolute path of the new file on the host; it must not exist'),
    ...creationFields,
  },
  answer: uploadAnswer,
  errors: [
    'SYS.1002',
    'SYS.1003',
    'SYS.1005',
    'SYS.1006',
    'SYS.1012',
    'SYS.1015',
    'SYS.1016',
    ...hostErrors,
    ...storageErrors,
    'SoftwarePackage.1000',
    'SoftwarePackage.1121',
    'SoftwarePackage.1131',
    'SoftwarePackage.1132',
    'SoftwarePackage.1300',
    'SoftwarePackage.1901',
  ],
})

export const uploadSoftwarePackageToBackupStorage = operation({
  name: 'UploadSoftwarePackageToBackupStorage',
  client: 'softwarePackages.uploadToBackupStorage',
  resource,
  method: 'POST',
  path: '/v1/software-packages/backup-storage/upload',
  structure: 'params',
  summary: 'Store a software package on backup storage',
  since: '5.0.0',
  permission: 'operate',
  mode: 'job',
  timeoutSeconds: 12 * 60 * 60,
  configTag: 'uploadConfig',
  fields: {
    name: Name(),
    type,
    backupStorageUuid: optional(Uuid({ description: 'Defaults to the usable one with the most free space' })),
    url,
    installPath: path(
      "The file to make, relative to the storage's root; returned as it is sent, with or without a leading slash",
    ),
    ...creationFields,
  },
  answer: uploadAnswer,
  errors: [
    'SYS.1002',
    'SYS.1003',
    'SYS.1005',
    'SYS.1012',
    'SYS.1015',
    'SYS.1016',
    ...storageErrors,
    'SoftwarePackage.1000',
    'SoftwarePackage.1121',
    'SoftwarePackage.1122',
    'SoftwarePackage.1131',
    'SoftwarePackage.1132',
    'SoftwarePackage.1901',
  ],
})

export const getSoftwarePackageConfigSchema = operation({
  name: 'GetSoftwarePackageConfigSchema',
  client: 'softwarePackages.configSchema',
  resource,
  method: 'GET',
  path: '/v1/software-package/{uuid}/config-schema',
  summary: 'Get the configuration schema, the capabilities and the location of a software package',
  since: ours,
  permission: 'read',
  fields: {},
  answer: {
    configSchema: orNull(
      Type.Unsafe<Record<string, unknown>>({
        type: 'object',
        additionalProperties: true,
        description: 'The JSON Schema in wharf.json; null without one',
      }),
    ),
    backupStorageUuid: orNull(
      Uuid({ description: 'The backup storage that contains it; null when it is only on a host' }),
    ),
    canFormCluster: Flag({ description: 'wharf.json names a program that forms a cluster' }),
  },
  errors: ['SYS.1003'],
})

export const getDirectoryUsage = operation({
  name: 'GetDirectoryUsage',
  client: 'softwarePackages.directoryUsage',
  resource,
  method: 'GET',
  path: '/v1/software-package/directory/usage',
  summary: 'Get the capacity and free space of the file system of a folder',
  since,
  permission: 'read',
  fields: {
    managementNodeUuid: Uuid({ description: 'The management node with the folder' }),
    directoryPath: path('Absolute; when it does not exist its nearest existing parent is measured'),
  },
  answer: { totalCapacity: Long({ description: 'Bytes' }), availableCapacity: Long({ description: 'Bytes' }) },
  errors: ['SYS.1003', 'SYS.1012', 'SYS.1016', 'SoftwarePackage.1131'],
})

export const installSoftwarePackage = operation({
  name: 'InstallSoftwarePackage',
  client: 'softwarePackages.install',
  resource,
  method: 'PUT',
  path: '/v1/software-package/install/{uuid}/actions',
  structure: 'installSoftwarePackage',
  summary: 'Run the installer of an uploaded package on its host',
  since,
  permission: 'operate',
  mode: 'job',
  timeoutSeconds: 2 * 60 * 60,
  configTag: 'installConfig',
  fields: {
    config: optional(
      Verbatim(128 * 1024, {
        description: 'Passed to the installer, at most 128 KiB; for a package on backup storage it contains hostUuid',
      }),
    ),
  },
  answer: 'empty',
  errors: [
    'SYS.1002',
    'SYS.1003',
    'SYS.1005',
    'SYS.1012',
    'SYS.1016',
    ...hostErrors,
    ...storageErrors,
    'SoftwarePackage.1000',
    'SoftwarePackage.1101',
    'SoftwarePackage.1121',
    'SoftwarePackage.1131',
    'SoftwarePackage.1132',
    'SoftwarePackage.1300',
    'SoftwarePackage.1901',
    'MIGRATE.1001',
  ],
})

export const uninstallSoftwarePackage = operation({
  name: 'UninstallSoftwarePackage',
  client: 'softwarePackages.uninstall',
  resource,
  method: 'PUT',
  path: '/v1/software-package/{uuid}/actions',
  structure: 'uninstallSoftwarePackage',
  summary: 'Run the uninstaller of a package on its host; the package itself stays on the host',
  since: ours,
  permission: 'operate',
  mode: 'job',
  timeoutSeconds: 30 * 60,
  fields: {},
  answer: { inventory: SoftwarePackageInventory.schema },
  errors: [
    'SYS.1003',
    'SYS.1005',
    'SYS.1006',
    'SYS.1012',
    'SYS.1016',
    ...hostErrors,
    'SoftwarePackage.1000',
    'SoftwarePackage.1132',
    'SoftwarePackage.1300',
    'SoftwarePackage.1901',
    'MIGRATE.1001',
  ],
})

export const deleteSoftwarePackage = operation({
  name: 'DeleteSoftwarePackage',
  client: 'softwarePackages.delete',
  resource,
  method: 'DELETE',
  path: '/v1/software-package/{uuid}',
  summary: 'Delete a package and its files; Enforcing cancels a running job of the package',
  since: ours,
  permission: 'operate',
  mode: 'job',
  timeoutSeconds: 30 * 60,
  fields: deletionFields,
  answer: {},
  errors: [
    'SYS.1003',
    'SYS.1004',
    'SYS.1005',
    'SYS.1012',
    'SYS.1016',
    ...hostErrors,
    ...storageErrors,
    'SoftwarePackage.1000',
    'SoftwarePackage.1131',
    'SoftwarePackage.1300',
    'SoftwarePackage.1901',
    'MIGRATE.1001',
  ],
})
