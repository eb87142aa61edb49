import type { Operation } from '@wharf/contract'
import type { JobCallOptions } from './call-types.ts'
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

interface QueryAnswer {
  inventories?: readonly object[]
}

/** Added to a group whose records can be queried. */
export interface AllRecords<R> {
  /** Every record that matches, page by page. */
  all<F extends readonly string[] | undefined = undefined>(
    query?: AllQuery<F>,
    options?: Pick<JobCallOptions, 'signal'>,
  ): AsyncGenerator<F extends readonly string[] ? Partial<R> : R>
}

/** Added to a group whose records belong to another record, such as the targets of a rollout. */
export interface AllParts<R> {
  /** Every part of the record with this uuid that matches, page by page. */
  all<F extends readonly string[] | undefined = undefined>(
    uuid: string,
    query?: AllQuery<F>,
    options?: Pick<JobCallOptions, 'signal'>,
  ): AsyncGenerator<F extends readonly string[] ? Partial<R> : R>
}

/** Added to a group whose records have a uuid. */
export interface OneRecord<R> {
  /** The record with this uuid. */
  one(uuid: string, options?: Pick<JobCallOptions, 'signal'>): Promise<R>
}

type Call = (operation: Operation, input: object, options?: { signal?: AbortSignal }) => Promise<object>

/** The default limit of the server. */
const defaultPageSize = 1000

/**
 * Every record, page by page. Without `sort` each page starts after the last uuid, so that concurrent changes neither
 * repeat nor skip records; with `sort` pages use an offset.
 */
export async function* queryAll(
  call: Call,
  operation: Operation,
  /** With the uuid of the path for the parts of a record. */
  query: AllQuery & { readonly uuid?: string },
  options?: object,
): AsyncGenerator<never> {
  const { uuid, q = [], sort, fields, limit = defaultPageSize } = query
  const hasUuid = operation.queries !== undefined && 'uuid' in operation.queries.schema.properties
  const byUuid = hasUuid && sort === undefined
  const selected = {
    ...(uuid === undefined ? {} : { uuid }),
    ...(fields === undefined ? {} : { fields: byUuid ? withUuid(fields) : fields }),
  }
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
