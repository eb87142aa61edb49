import { hostErrors, storageErrors } from './errors.ts'
import { inventory, operation } from './operation.ts'
import { queryOperations } from './query.ts'
import { Choice, Flag, List, Long, Name, optional, orNull, Sealed, Text, Timestamp, Uuid, Verbatim } from './schema.ts'
import { creationFields, deletionFields } from './shared-fields.ts'
import { Type } from './type.ts'

const since = '4.10.20'
const ours = 'wharf-1.0.0'
const resource = 'software-packages'

export const packageStatuses = [
  'Uploading',
  'Uploaded',
  'UploadFailed',
  'Installing',
  'Installed',
  'InstallFailed',
  'Initializing',
  'Initialized',
  'InitializeFailed',
] as const
export type PackageStatus = (typeof packageStatuses)[number]

/** The statuses that allow each action: the server rejects calls and the console disables buttons by this table. */
export const allowed = {
  install: ['Uploaded', 'InstallFailed'],
  initialise: ['Installed', 'InitializeFailed'],
  reattach: ['Initialized'],
  'take over': ['Installed', 'InitializeFailed', 'Initialized'],
  uninstall: ['Installed', 'InstallFailed', 'InitializeFailed', 'Initialized'],
} as const satisfies Record<string, readonly PackageStatus[]>

const type = Text(255, { pattern: '^[A-Za-z0-9][A-Za-z0-9._-]*$', description: 'The package type' })
const url = Text(2048, {
  description:
    'The source of the package: an http, https or file URL, or upload://<name> to upload it in slices. The system tag uploadSoftwarePackage::<MD5 or SHA-256 in hex> announces its digest, which is verified at the end',
})
// no pattern: an invalid path has an error code of its own
const path = (description: string) => Text(1024, { description })

export const SoftwarePackageInventory = inventory({
  name: 'SoftwarePackageInventory',
  since,
  events: ['SoftwarePackage'],
  table: 'softwarePackages',
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
    status: Choice(packageStatuses),
    size: Long({ description: 'The size in bytes; 0 until it is known' }),
    createDate: Timestamp(),
    lastOpDate: Timestamp(),
  },
  private: {
    backupStorageUuid: orNull(Uuid()),
    /** On backup storage, the path as the caller sent it; null on hosts and in rows of an older version. `installPath` is then relative to the root of the storage, in one canonical form. */
    sentInstallPath: orNull(Text(1024)),
    /** Null until its content was inspected. */
    format: orNull(Choice(['tar', 'tar.gz', 'tar.zst', 'zip', 'file'])),
    /** The single folder of the archive that contains wharf.json, when that is not at the root. */
    topFolder: orNull(Text(1024)),
    /** wharf.json, when the package has one. */
    manifest: orNull(Text(262_144)),
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
    hostUuid: Uuid(),
    url,
    installPath: path('The absolute path of the new file on the host; it must not exist'),
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
    ...hostErrors,
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
