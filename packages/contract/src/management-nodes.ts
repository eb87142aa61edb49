import { inventory, operation } from './operation.ts'
import { queryOperations } from './query.ts'
import { Choice, Name, orNull, Text, Timestamp, Uuid } from './schema.ts'

export const ManagementNodeInventory = inventory({
  name: 'ManagementNodeInventory',
  since: 'wharf-1.0.0',
  events: ['ManagementNode'],
  table: 'managementNodes',
  scope: 'byRole',
  fields: {
    uuid: Uuid(),
    hostName: Name({ description: 'The host name of its machine' }),
    url: orNull(Text(2048, { description: 'The URL for other nodes' })),
    publicUrl: orNull(
      Text(2048, {
        since: 'wharf-1.1.0',
        description:
          'The URL for hosts and for senders of alerts: WHARF_PUBLIC_URL of the node, or else the URL that it listens at; null for a node of an older version',
      }),
    ),
    version: Name({ description: 'The version of Wharf that it runs' }),
    status: Choice(['Alive', 'Dead'], { description: 'Dead when its heartbeats have stopped' }),
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

/** For a person to authorise the server on a machine before it is added as a host. */
export const getServerSshKey = operation({
  name: 'GetServerSshKey',
  client: 'managementNodes.sshKey',
  resource: 'management-nodes',
  method: 'GET',
  path: '/v1/management-nodes/{uuid}/ssh-key',
  summary: 'Get the public SSH key with which a management node signs in to hosts without a key of their own',
  since: 'wharf-1.1.0',
  permission: 'read',
  fields: {},
  answer: {
    publicKey: Text(16_384, { description: 'One line for authorized_keys on the host' }),
    fingerprint: Name({ description: 'SHA256:…, as printed by ssh-keygen -l' }),
  },
  errors: ['SYS.1003', 'SYS.1012', 'SYS.1016'],
})
