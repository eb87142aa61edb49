import type { Static } from 'typebox'
import { hostErrors, storageErrors } from './errors.ts'
import { inventory, operation } from './operation.ts'
import {
  Choice,
  Description,
  Flag,
  Integer,
  List,
  Long,
  Name,
  optional,
  orNull,
  Text,
  Timestamp,
  Uuid,
} from './schema.ts'
import { creationFields, deletionFields } from './shared-fields.ts'
import { Type } from './type.ts'

const since = '5.0.0'
const ours = 'wharf-1.0.0'
const resource = 'migration'

const imageStatuses = ['Ready', 'Missing'] as const

export const MigrateImageBackupStorageRef = inventory({
  name: 'MigrateImageBackupStorageRef',
  since: '0.6',
  events: ['MigrateImage', 'SoftwarePackage'],
  table: 'migrateImageReferences',
  scope: 'byRole',
  fields: {
    imageUuid: Uuid(),
    backupStorageUuid: Uuid(),
    installPath: Text(1024, { description: 'The path of the image on the backup storage' }),
    exportUrl: orNull(
      Text(4096, { since: '3.9.0', description: 'A download URL that is valid for a day, without a credential' }),
    ),
    exportMd5Sum: orNull(Text(32, { since: '3.9.0', description: 'The MD5 checksum of the download in hex digits' })),
    status: Choice(imageStatuses, { description: 'Missing when the file cannot be read completely from this storage' }),
    createDate: Timestamp(),
    lastOpDate: Timestamp(),
  },
  computed: ['exportUrl', 'exportMd5Sum', 'status'],
})

export const MigrateImage = inventory({
  name: 'MigrateImage',
  since: '0.6',
  events: ['MigrateImage', 'SoftwarePackage'],
  table: 'migrateImages',
  scope: 'byRole',
  fields: {
    uuid: Uuid(),
    name: Name(),
    description: orNull(Description()),
    state: Choice(['Enabled', 'Disabled'], { description: 'Always Enabled in this version' }),
    status: Choice(imageStatuses, { description: 'Ready when one of its backup storages has the complete file' }),
    size: Long({ description: 'The virtual size in bytes, as seen by the guest' }),
    actualSize: Long({ description: 'The size of the file in bytes' }),
    md5Sum: orNull(Text(32, { description: 'The MD5 checksum of the file in hex digits' })),
    url: Text(2048, { description: 'The source: package://, the uuid of the software package, and the path in it' }),
    mediaType: Choice(['RootVolumeTemplate', 'ISO'], {
      description: 'ISO for format iso, otherwise RootVolumeTemplate',
    }),
    guestOsType: orNull(Name({ description: 'Always null in this version' })),
    type: Name({ description: 'Always wharf in this version' }),
    platform: Choice(['Linux', 'Windows', 'Other'], {
      description: 'The operating system, as the package declares it',
    }),
    format: Choice(['qcow2', 'raw', 'iso'], { description: 'The format of the file, read from its content' }),
    system: Flag({ description: 'Part of the platform, not created by a user' }),
    createDate: Timestamp(),
    lastOpDate: Timestamp(),
    backupStorageRefs: List(MigrateImageBackupStorageRef.schema),
  },
  computed: ['status', 'md5Sum', 'guestOsType', 'type', 'system', 'backupStorageRefs'],
  private: {
    packageUuid: Uuid(),
    key: Choice(['GatewayImage', 'LinuxBootImage', 'WindowsBootImage']),
    /** As the field, but never null. */
    md5Sum: Text(32),
  },
})

/** The manifest defines the keys. */
const images = Type.Unsafe<Record<string, Static<typeof MigrateImage.schema>>>({
  type: 'object',
  additionalProperties: MigrateImage.schema,
  description: 'By role: GatewayImage, LinuxBootImage, WindowsBootImage',
})

export const getMigrateImages = operation({
  name: 'GetMigrateImages',
  client: 'migration.images',
  resource,
  method: 'GET',
  path: '/v1/migrate/images',
  summary: 'List the images of the migration gateway',
  since,
  permission: 'read',
  fields: {},
  answer: { images },
  errors: ['SYS.1012'],
})

export const GatewayVmInstance = inventory({
  name: 'GatewayVmInstance',
  since,
  events: ['GatewayVmInstance', 'SoftwarePackage'],
  table: 'gatewayVms',
  scope: { host: 'hostUuid' },
  fields: {
    uuid: Uuid(),
    name: Name(),
    description: orNull(Description()),
    state: Name({ since: ours, description: 'As reported by the hypervisor; Unknown when its host is disconnected' }),
    hostUuid: Uuid({ since: ours, description: 'The host that runs it' }),
    imageUuid: orNull(Uuid({ since: ours, description: 'The image that it started from; null when it is unknown' })),
    createDate: Timestamp({ since: ours }),
  },
  computed: ['state'],
  private: {
    role: Choice(['management', 'gateway']),
    /** Creating until its job has ended: before that, a VM that the hypervisor does not list is not a deleted one. */
    status: Choice(['Creating', 'Ready']),
    packageUuid: Uuid(),
    cpu: Long(),
    memoryBytes: Long(),
    /** Null: the default network of its host. */
    network: orNull(Name()),
    lastOpDate: Timestamp(),
  },
})

export const getMigrateVmInstances = operation({
  name: 'GetMigrateVmInstances',
  client: 'migration.vmInstances',
  resource,
  method: 'GET',
  path: '/v1/migrate/vm-instances',
  summary: 'List the virtual machines of the migration gateway, the management VM first',
  since,
  permission: 'read',
  fields: {},
  answer: {
    managementVmInstanceUuid: orNull(Uuid({ description: 'Null while none is installed' })),
    gatewayVmInstances: Type.Array(GatewayVmInstance.schema),
  },
  errors: ['SYS.1012'],
})

const MiB = 2 ** 20

/** The resources of a gateway VM; installing a package of type Migrate accepts the same. */
export const gatewayVmFields = {
  cpu: optional(Integer(1, 255, { description: 'Virtual processors; defaults to 1' })),
  memoryBytes: optional(Integer(16 * MiB, 2 ** 42, { description: 'Defaults to 1 GiB' })),
  network: optional(
    Text(255, {
      description:
        'network:<name> of libvirt, bridge:<name> of the host, or user; defaults to network:default, and to user where libvirt runs for an ordinary user',
    }),
  ),
}

export const createMigrateVmInstance = operation({
  name: 'CreateMigrateVmInstance',
  client: 'migration.createVmInstance',
  resource,
  method: 'POST',
  path: '/v1/migrate/vm-instances',
  structure: 'params',
  summary: 'Create a virtual machine from the gateway image and start it',
  since: ours,
  permission: 'operate',
  mode: 'job',
  timeoutSeconds: 30 * 60,
  fields: {
    name: Name(),
    hostUuid: Uuid({ description: 'The host that it runs on' }),
    description: optional(Description()),
    ...gatewayVmFields,
    ...creationFields,
  },
  answer: { inventory: GatewayVmInstance.schema },
  errors: [
    'SYS.1002',
    'SYS.1003',
    'SYS.1005',
    'SYS.1012',
    'SYS.1016',
    ...hostErrors,
    ...storageErrors,
    'SoftwarePackage.1121',
    'SoftwarePackage.1132',
    'MIGRATE.1001',
  ],
})

export const deleteMigrateVmInstance = operation({
  name: 'DeleteMigrateVmInstance',
  client: 'migration.deleteVmInstance',
  resource,
  method: 'DELETE',
  path: '/v1/migrate/vm-instances/{uuid}',
  summary: 'Stop a gateway VM and remove it with its disk',
  since: ours,
  permission: 'operate',
  mode: 'job',
  timeoutSeconds: 30 * 60,
  fields: deletionFields,
  answer: {},
  errors: ['SYS.1003', 'SYS.1004', 'SYS.1005', 'SYS.1012', 'SYS.1016', ...hostErrors, 'MIGRATE.1001'],
})
