import { WharfError } from '@wharf/sdk'

/** The answer of a query by uuid, or of an operation that gets one record. */
export interface RecordQuery<R> {
  readonly data: { readonly inventories?: readonly R[] } | undefined
  readonly error: Error | null
}

export type RecordState<R> =
  | { readonly kind: 'loading' }
  | { readonly kind: 'missing' }
  | { readonly kind: 'failed'; readonly error: Error }
  | { readonly kind: 'found'; readonly record: R }

/** A query by uuid returns an empty list for a record that does not exist; a get returns 404. */
export function recordState<R>({ data, error }: RecordQuery<R>): RecordState<R> {
  if (error instanceof WharfError && error.status === 404) return { kind: 'missing' }
  if (error !== null) return { kind: 'failed', error }
  if (data === undefined) return { kind: 'loading' }
  const [record] = data.inventories ?? []
  return record === undefined ? { kind: 'missing' } : { kind: 'found', record }
}
