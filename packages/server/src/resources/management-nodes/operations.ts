import { getManagementNode, ManagementNodeInventory, queryManagementNode } from '@wharf/contract'
import type { Binding } from '../../calls/bind.ts'
import { type Queries, queryBindings } from '../../calls/query-bindings.ts'
import { collection } from '../../database/query.ts'

export const managementNodeOperations = (queries: Queries): Binding[] =>
  queryBindings(
    queries,
    collection({ table: 'managementNodes', inventory: ManagementNodeInventory }),
    queryManagementNode,
    getManagementNode,
  )
