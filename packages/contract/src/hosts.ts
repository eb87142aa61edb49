import { inventory } from './operation.ts'
import { queryOperations } from './query.ts'
import { Choice, Description, Integer, Long, Name, orNull, Text, Timestamp, Uuid } from './schema.ts'

export const resourceStates = ['Enabled', 'Disabled'] as const
export const connectionStatuses = ['Connecting', 'Connected', 'Disconnected'] as const

export const HostInventory = inventory('HostInventory', 'wharf-1.0.0', {
  uuid: Uuid(),
  name: Name(),
  description: orNull(Description()),
  driver: Choice(['ssh', 'local']),
  address: Name(),
  sshPort: orNull(Integer(1, 65_535)),
  username: orNull(Name()),
  hostKeyFingerprint: orNull(Text(255)),
  managementNodeUuid: orNull(Uuid({ description: 'The node that this host is, with driver local' })),
  state: Choice(resourceStates),
  status: Choice(connectionStatuses),
  hostName: orNull(Name()),
  sn: orNull(Name()),
  manufacturer: orNull(Name()),
  product: orNull(Name()),
  system: orNull(Name()),
  architecture: orNull(Name()),
  totalCapacity: Long(),
  availableCapacity: Long(),
  createDate: Timestamp(),
  lastOpDate: Timestamp(),
})

export const { query: queryHost, get: getHost } = queryOperations({
  resource: 'hosts',
  noun: 'Host',
  plural: 'hosts',
  path: '/v1/hosts',
  inventory: HostInventory,
})
