import { getManagementNode, ManagementNodeInventory, queryManagementNode } from '@wharf/contract'
import { collection } from '@wharf/database/query.ts'
import type { Binding } from '../../calls/bind.ts'
import { type Queries, queryBindings } from '../../calls/query-bindings.ts'

export const managementNodeOperations = (queries: Queries): Binding[] =>
  queryBindings(
    queries,
    collection({ table: 'managementNodes', inventory: ManagementNodeInventory }),
    queryManagementNode,
    getManagementNode,
  )
