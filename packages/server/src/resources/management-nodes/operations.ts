import { getManagementNode, queryManagementNode } from '@wharf/contract'
import type { Binding } from '../../calls/bind.ts'
import { type Queries, queryBindings } from '../../calls/query-bindings.ts'

export const managementNodeOperations = (queries: Queries): Binding[] =>
  queryBindings(queries, queryManagementNode, getManagementNode)
