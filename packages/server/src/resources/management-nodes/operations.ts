import { getManagementNode, getServerSshKey, queryManagementNode } from '@wharf/contract'
import type { Database } from '@wharf/database/database.ts'
import { notFound } from '@wharf/platform/api-error.ts'
import { WrongNodeError } from '@wharf/platform/wrong-node-error.ts'
import { fingerprintOf } from '@wharf/ssh/host-key.ts'
import { ensureServerKey } from '@wharf/ssh/server-key.ts'
import { type Binding, handle } from '../../calls/bind.ts'
import { type Queries, queryBindings } from '../../calls/query-bindings.ts'
import { NodeStore } from './store.ts'

interface NodeOperationDeps {
  readonly queries: Queries
  readonly database: Database
  readonly nodeUuid: string
  readonly settings: { readonly data: string }
}

export const managementNodeOperations = ({ queries, database, nodeUuid, settings }: NodeOperationDeps): Binding[] => [
  ...queryBindings(queries, queryManagementNode, getManagementNode),
  handle(getServerSshKey, async ({ path: { uuid } }) => {
    // every node has a key of its own, in its data folder
    if (uuid !== nodeUuid) {
      if (!(await new NodeStore(database).find(uuid))) throw notFound('management node', uuid)
      throw new WrongNodeError(uuid, `this needs management node ${uuid}`)
    }
    const { publicKey } = await ensureServerKey(settings.data)
    return { publicKey, fingerprint: fingerprintOf(publicKey) }
  }),
]
