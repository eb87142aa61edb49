import type { TProperties } from 'typebox'
import { type Inventory, operation, type Permission } from './operation.ts'
import { Flag, Integer, List, Long, optional, Text } from './schema.ts'
import { Type } from './type.ts'

const maxLimit = 10_000
/** The specification has only `q`; the other fields are Wharf's, also on its older collections. */
const since = 'wharf-1.0.0'

/** The fields of every list; docs/query.md explains operators and order. */
export const queryFields = {
  q: optional(
    List(Text(2048), {
      maxItems: 32,
      description: 'A condition such as name=web or size>=1024; records match all conditions',
    }),
  ),
  limit: optional(Integer(1, maxLimit, { since, description: 'The maximum number of records; defaults to 1000' })),
  start: optional(Integer(0, Number.MAX_SAFE_INTEGER, { since, description: 'The number of records to skip' })),
  sort: optional(Text(256, { since, description: '+field or -field; defaults to createDate, then uuid' })),
  count: optional(Flag({ since, description: 'Return only total' })),
  replyWithCount: optional(Flag({ since, description: 'Include total' })),
  fields: optional(List(Text(1024), { since, description: 'The fields to return, separated by commas' })),
}

const itemFields = { fields: queryFields.fields }

/** List and get, the same for every record. */
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
  // `fields` can omit every field, so none is required
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
      total: optional(Long({ since, description: 'The number of matching records, with count or replyWithCount' })),
    },
    errors: ['SYS.1001'],
  })
  const get = operation({
    name: `Get${resource.noun}`,
    client: `${resource.client}.get` as const,
    resource: resource.resource,
    method: 'GET',
    path: `${resource.path}/{uuid}` as `${Path}/{uuid}` & `/v1/${string}`,
    summary: `Get one of the ${resource.plural} by its uuid`,
    since: declaredSince,
    permission,
    queries,
    fields: itemFields,
    answer: { inventories },
    errors: ['SYS.1003'],
  })
  return { query, get }
}
