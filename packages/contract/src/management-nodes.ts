import { inventory } from './operation.ts'
import { queryOperations } from './query.ts'
import { Choice, Name, orNull, Text, Timestamp, Uuid } from './schema.ts'

export const ManagementNodeInventory = inventory({
  name: 'ManagementNodeInventory',
  since: 'wharf-1.0.0',
  events: ['ManagementNode'],
  table: 'managementNodes',
  fields: {
    uuid: Uuid(),
    hostName: Name(),
    url: orNull(Text(2048, { description: 'The URL for other nodes' })),
    version: Name(),
    status: Choice(['Alive', 'Dead']),
    createDate: Timestamp(),
    lastOpDate: Timestamp({ description: 'When it last sent a heartbeat' }),
  },
})

export const { query: queryManagementNode, get: getManagementNode } = queryOperations({
  resource: 'management-nodes',
  noun: 'ManagementNode',
  client: 'managementNodes',
  plural: 'management nodes',
  path: '/v1/management-nodes',
  inventory: ManagementNodeInventory,
})
