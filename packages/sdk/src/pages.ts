import type { Operation } from '@wharf/contract'
import { createWharfError } from './error.ts'

export interface AllQuery<F = readonly string[] | undefined> {
  /** Conditions; a record must match all of them. */
  q?: readonly string[] | undefined
  /** Default: by uuid, which is stable while records are created and deleted. */
  sort?: string | undefined
  /** Only these fields. */
  fields?: F
  /** Records per page. */
  limit?: number | undefined
}

export interface QueryAnswer {
  inventories?: readonly object[]
}

/** Complete, because no field is deselected. */
export type RecordOf<A> = A extends { inventories?: readonly (infer R)[] } ? Required<R> : never

type Call = (operation: Operation, input: object, options?: { signal?: AbortSignal }) => Promise<object>

const defaultPageSize = 500

/**
 * Every record, page by page. Without `sort` each page starts after the last uuid, so that concurrent changes neither
 * repeat nor skip records; with `sort` pages use an offset.
 */
export async function* queryAll(
  call: Call,
  operation: Operation,
  query: AllQuery,
  options?: object,
): AsyncGenerator<never> {
  const { q = [], sort, fields, limit = defaultPageSize } = query
  const hasUuid = operation.queries !== undefined && 'uuid' in operation.queries.schema.properties
  const byUuid = hasUuid && sort === undefined
  const selected = fields === undefined ? {} : { fields: byUuid ? withUuid(fields) : fields }
  let after: string | undefined
  for (let start = 0; ; start += limit) {
    const page = byUuid
      ? { q: after === undefined ? q : [...q, `uuid>${after}`], sort: '+uuid' }
      : { q, start, ...(sort === undefined ? {} : { sort }) }
    const { inventories = [] } = (await call(operation, { ...selected, limit, ...page }, options)) as QueryAnswer
    yield* inventories as never[]
    if (inventories.length < limit) return
    after = (inventories.at(-1) as { uuid: string }).uuid
  }
}

const withUuid = (fields: readonly string[]): string[] => [...new Set([...fields.flatMap((f) => f.split(',')), 'uuid'])]

/** The record of an operation that returns a list of one. */
export async function getOne(call: Call, operation: Operation, uuid: string, options?: object): Promise<object> {
  const { inventories = [] } = (await call(operation, { uuid }, options)) as QueryAnswer
  const [record] = inventories
  if (record) return record
  // with WHARF_EMPTY_NOT_FOUND the server returns an empty list
  const details = `${operation.queries?.name ?? operation.name} ${uuid} does not exist`
  throw createWharfError('SYS.1003', 404, 'resource not found', details)
}
