import type { CallableOperation, InputOf } from '@wharf/sdk'
import { useApiQuery, usePrefetch } from '../../data/api-query.ts'
import { useWharf } from '../../data/wharf-context.tsx'
import type { ListState } from '../list-state.ts'
import { isSortable } from '../sortable-fields.ts'
import type { RecordOf } from './column.ts'
import { readAllPages } from './read-all-pages.ts'
import type { TableSource } from './table-source.ts'

/** A collection of the API, filtered, sorted and paged by the server. */
export function useApiSource<O extends CallableOperation>(
  operation: O,
  { sort, page }: ListState,
  q: readonly string[],
  pageSize: number,
): TableSource<RecordOf<O>> {
  type R = RecordOf<O>
  const wharf = useWharf()
  const inputOf = (page: number) =>
    ({ q, sort, start: (page - 1) * pageSize, limit: pageSize }) as unknown as InputOf<O>
  const rows = useApiQuery(operation, inputOf(page))
  const prefetch = usePrefetch(operation)
  // a separate query: counting is slower than reading a page, and all pages share it
  const count = useApiQuery(operation, { q, count: true } as unknown as InputOf<O>)
  const records = (rows.data as { inventories?: R[] } | undefined)?.inventories ?? []
  const total = (count.data as { total?: number } | undefined)?.total
  return {
    call: { operation, input: { q, sort } },
    records,
    total: count.isPlaceholderData ? undefined : total,
    error: rows.error,
    isCounting: count.isFetching,
    // an empty page is replaced as soon as the last page is known
    isPending: rows.isPending || (page > 1 && records.length === 0 && !count.error),
    isFetching: rows.isFetching,
    preparePage: (next) => prefetch(inputOf(next)),
    refetch: () => void Promise.all([rows.refetch(), count.refetch()]),
    readAll: (signal) =>
      readAllPages<R>(async (query) => {
        const answer = await wharf.call(operation, query as unknown as InputOf<O>, { signal })
        return (answer as { inventories?: R[] }).inventories ?? []
      }, q),
    isSortable: (field) => isSortable(operation, field),
  }
}
