import type { Operation } from '@wharf/contract'
import { WharfError } from './error.ts'

export interface AllQuery<F = readonly string[] | undefined> {
  /** Conditions, all of which must hold. */
  q?: readonly string[] | undefined
  /** The order; by uuid when absent, which is safe against changes on the way. */
  sort?: string | undefined
  /** Only these fields. */
  fields?: F
  /** Records that are fetched at a time. */
  limit?: number | undefined
}

export interface QueryAnswer {
  inventories?: readonly object[]
}

/** Whole, since no field was left out. */
export type RecordOf<A> = A extends { inventories?: readonly (infer R)[] } ? Required<R> : never

type Ask = (operation: Operation, input: object, options?: { signal?: AbortSignal }) => Promise<object>

const defaultPage = 500

/**
 * Every record, page by page. Without an order of the caller's each page begins after the last uuid, so that records
 * that come and go meanwhile neither repeat nor hide others; with one, pages are counted.
 */
export async function* all(ask: Ask, operation: Operation, query: AllQuery, options?: object): AsyncGenerator<never> {
  const { q = [], sort, fields, limit = defaultPage } = query
  const hasUuid = operation.queries !== undefined && 'uuid' in operation.queries.schema.properties
  const byUuid = hasUuid && sort === undefined
  const selected = fields === undefined ? {} : { fields: byUuid ? withUuid(fields) : fields }
  let after: string | undefined
  for (let start = 0; ; start += limit) {
    const page = byUuid
      ? { q: after === undefined ? q : [...q, `uuid>${after}`], sort: '+uuid' }
      : { q, start, ...(sort === undefined ? {} : { sort }) }
    const { inventories = [] } = (await ask(operation, { ...selected, limit, ...page }, options)) as QueryAnswer
    yield* inventories as never[]
    if (inventories.length < limit) return
    after = (inventories.at(-1) as { uuid: string }).uuid
  }
}

const withUuid = (fields: readonly string[]): string[] => [...new Set([...fields.flatMap((f) => f.split(',')), 'uuid'])]

/** The record, where the operation answers a list of one. */
export async function one(ask: Ask, operation: Operation, uuid: string, options?: object): Promise<object> {
  const { inventories = [] } = (await ask(operation, { uuid }, options)) as QueryAnswer
  const [record] = inventories
  if (record) return record
  // with WHARF_EMPTY_NOT_FOUND the server says so by an empty list
  const details = `${operation.queries?.name ?? operation.name} ${uuid} does not exist`
  throw new WharfError(
    { code: 'SYS.1003', description: 'resource not found', details, elaboration: null, opaque: null, cause: null },
    { status: 404 },
  )
}
