import type { TProperties } from 'typebox'
import { type Inventory, operation, type Permission } from './operation.ts'
import { Flag, Integer, List, Long, optional, Text } from './schema.ts'
import { Type } from './type.ts'

const maxLimit = 10_000
/** The interface had only `q`; the other parameters are ours, also for its older collections. */
const since = 'wharf-1.0.0'

/** The parameters of every collection; docs/query.md describes operators and order. */
export const queryFields = {
  q: optional(
    List(Text(2048), {
      maxItems: 32,
      description: 'A condition such as name=web or size>=1024; a record must match all of them',
    }),
  ),
  limit: optional(Integer(1, maxLimit, { since, description: 'At most this many records; 1000 when absent' })),
  start: optional(Integer(0, Number.MAX_SAFE_INTEGER, { since, description: 'Skip this many records' })),
  sort: optional(Text(256, { since, description: '+field or -field; createDate when absent, uuid breaks ties' })),
  count: optional(Flag({ since, description: 'Answer total alone' })),
  replyWithCount: optional(Flag({ since, description: 'Add total to the answer' })),
  fields: optional(List(Text(1024), { since, description: 'Only these fields, separated by commas' })),
}

const itemFields = { fields: queryFields.fields }

/** The pair that every resource has: query the collection, get one record of it. */
export function queryOperations<
  const Path extends `/v1/${string}`,
  P extends TProperties,
  const Client extends string,
>(resource: {
  resource: string
  noun: string
  /** The group of methods that clients have for these records. */
  client: Client
  plural: string
  path: Path
  inventory: Inventory<P>
  since?: string
  permission?: Permission
}) {
  const declaredSince = resource.since ?? resource.inventory.since
  const permission = resource.permission ?? 'read'
  const queries = resource.inventory as unknown as Inventory
  // every field may be left out by `fields`, so none is required here
  const selection = { title: resource.inventory.name, additionalProperties: false }
  const inventories = optional(List(Type.Partial(resource.inventory.schema, selection), { maxItems: maxLimit }))
  const query = operation({
    name: `Query${resource.noun}`,
    client: `${resource.client}.query` as const,
    resource: resource.resource,
    method: 'GET',
    path: resource.path,
    summary: `Query ${resource.plural}`,
    since: declaredSince,
    permission,
    queries,
    fields: queryFields,
    answer: {
      inventories,
      total: optional(Long({ since, description: 'Records that match, with count or replyWithCount' })),
    },
    errors: ['SYS.1001'],
  })
  const get = operation({
    name: `Get${resource.noun}`,
    client: `${resource.client}.get` as const,
    resource: resource.resource,
    method: 'GET',
    path: `${resource.path}/{uuid}` as `${Path}/{uuid}` & `/v1/${string}`,
    summary: `Get one of the ${resource.plural}`,
    since: declaredSince,
    permission,
    queries,
    fields: itemFields,
    answer: { inventories },
    errors: ['SYS.1003'],
  })
  return { query, get }
}
