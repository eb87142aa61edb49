import { getManagementNode, ManagementNodeInventory, queryManagementNode } from '@wharf/contract'
import { collection } from '../database/query.ts'
import type { Binding } from '../http/bind.ts'
import { type Queries, queryBindings } from '../http/query-bindings.ts'

export const managementNodeOperations = (queries: Queries): Binding[] =>
  queryBindings(
    queries,
    collection({ table: 'managementNodes', inventory: ManagementNodeInventory }),
    queryManagementNode,
    getManagementNode,
  )
