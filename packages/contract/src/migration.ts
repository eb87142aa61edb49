import { type Static, Type } from 'typebox'
import { inventory, operation } from './operation.ts'
import { Choice, Description, Flag, List, Long, Name, orNull, Text, Timestamp, Uuid } from './schema.ts'

const since = '5.0.0'
const ours = 'wharf-1.0.0'
const resource = 'migration'

const imageStatuses = ['Ready', 'Missing'] as const

export const MigrateImageBackupStorageRef = inventory('MigrateImageBackupStorageRef', '0.6', {
  imageUuid: Uuid(),
  backupStorageUuid: Uuid(),
  installPath: Text(1024),
  exportUrl: orNull(Text(4096, { since: '3.9.0', description: 'Downloads the image for a day, without a credential' })),
  exportMd5Sum: orNull(Text(32, { since: '3.9.0' })),
  status: Choice(imageStatuses),
  createDate: Timestamp(),
  lastOpDate: Timestamp(),
})

export const MigrateImage = inventory('MigrateImage', '0.6', {
  uuid: Uuid(),
  name: Name(),
  description: orNull(Description()),
  state: Choice(['Enabled', 'Disabled']),
  status: Choice(imageStatuses),
  size: Long({ description: 'Bytes as the guest sees them' }),
  actualSize: Long({ description: 'Bytes of the file' }),
  md5Sum: orNull(Text(32)),
  url: Text(2048),
  mediaType: Choice(['RootVolumeTemplate', 'ISO']),
  guestOsType: orNull(Name()),
  type: Name(),
  platform: Choice(['Linux', 'Windows', 'Other']),
  format: Choice(['qcow2', 'raw', 'iso']),
  system: Flag({ description: 'Part of the platform, not made by a user' }),
  createDate: Timestamp(),
  lastOpDate: Timestamp(),
  backupStorageRefs: List(MigrateImageBackupStorageRef.schema),
})

/** The keys are the manifest's, so the map is open. */
const images = Type.Unsafe<Record<string, Static<typeof MigrateImage.schema>>>({
  type: 'object',
  additionalProperties: MigrateImage.schema,
  description: 'By role: GatewayImage, LinuxBootImage, WindowsBootImage',
})

export const getMigrateImages = operation({
  name: 'GetMigrateImages',
  resource,
  method: 'GET',
  path: '/v1/migrate/images',
  summary: 'List the images of the migration gateway',
  since,
  permission: 'read',
  fields: {},
  answer: { images },
})

export const GatewayVmInstance = inventory('GatewayVmInstance', since, {
  uuid: Uuid(),
  name: Name(),
  description: orNull(Description()),
  state: Name({ since: ours, description: 'As the hypervisor tells it; Unknown when its host is away' }),
  hostUuid: Uuid({ since: ours }),
  imageUuid: orNull(Uuid({ since: ours })),
  createDate: Timestamp({ since: ours }),
})

export const getMigrateVmInstances = operation({
  name: 'GetMigrateVmInstances',
  resource,
  method: 'GET',
  path: '/v1/migrate/vm-instances',
  summary: 'List the virtual machines of the migration gateway, the managing one first',
  since,
  permission: 'read',
  fields: {},
  answer: {
    managementVmInstanceUuid: orNull(Uuid({ description: 'Null while none is installed' })),
    gatewayVmInstances: Type.Array(GatewayVmInstance.schema),
  },
})
