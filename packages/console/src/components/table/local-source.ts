import type { ApiCall } from '../copy-command/command-text.ts'
import type { ListState } from '../list-state.ts'
import { compareValues, matchesCondition } from './local-conditions.ts'
import type { TableSource } from './table-source.ts'

interface LoadedList<R> {
  /** Undefined while loading. */
  readonly records: readonly R[] | undefined
  readonly error: Error | null
  readonly isFetching: boolean
  readonly refetch: () => void
  readonly call: ApiCall
}

/** A list that the API returns whole: filtered, sorted and paged here. */
export function localSource<R extends object>(
  { records, error, isFetching, refetch, call }: LoadedList<R>,
  { conditions, sort, page }: ListState,
  pageSize: number,
): TableSource<R> {
  const field = sort.replace(/^[+-]/, '') as keyof R
  const direction = sort.startsWith('-') ? -1 : 1
  const matching = (records ?? [])
    .filter((record) => conditions.every((condition) => matchesCondition(record, condition)))
    .toSorted((one, other) => direction * compareValues(one[field], other[field]))
  return {
    call,
    records: matching.slice((page - 1) * pageSize, page * pageSize),
    total: records && matching.length,
    isCounting: false,
    error,
    isPending: records === undefined && error === null,
    isFetching,
    refetch,
    async *readAll() {
      yield matching
    },
    isSortable: () => true,
  }
}
