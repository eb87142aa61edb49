import { getHost, HostInventory, queryHost } from '@wharf/contract'
import { collection } from '../database/query.ts'
import type { Binding } from '../http/bind.ts'
import { type Queries, queryBindings } from '../http/query-bindings.ts'

export const hostOperations = (queries: Queries): Binding[] =>
  queryBindings(queries, collection({ table: 'hosts', inventory: HostInventory }), queryHost, getHost)
