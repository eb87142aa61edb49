import type { ApiCall } from '../copy-command/command-text.ts'
/** The records of a list, one page at a time. */
export interface TableSource<R> {
  /** The query of all matching records, where the records are those of the API. */
  readonly call?: ApiCall
  /** The records of the current page. */
  readonly records: readonly R[]
  /** The number of matching records; undefined while loading. */
  readonly total: number | undefined
  /** The total may be out of date. */
  readonly isCounting: boolean
  readonly error: Error | null
  readonly isPending: boolean
  readonly isFetching: boolean
  /** Reads the records of a page that is about to be shown; never rejects. */
  readonly preparePage?: (page: number) => Promise<void>
  readonly refetch: () => void
  /** All matching records, page by page. */
  readonly readAll: (signal: AbortSignal) => AsyncIterable<readonly R[]>
  /** Whether the list can be sorted by a field. */
  readonly isSortable: (field: string) => boolean
}

export const lastPageOf = (total: number, pageSize: number): number => Math.max(1, Math.ceil(total / pageSize))
