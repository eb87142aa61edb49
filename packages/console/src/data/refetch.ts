import type { Query, QueryClient, QueryFilters } from '@tanstack/react-query'

/** To be asked for once more when the answer is there that is on its way. */
const isNext = new WeakSet<Query>()

/**
 * Asks anew for what has changed and is shown. An answer that is on its way may be from before the change, so the same is
 * asked again after it. Not in its place: where changes come faster than answers there would never be one.
 */
export function refetchChanged(queries: QueryClient, filters: QueryFilters = {}): void {
  for (const query of queries.getQueryCache().findAll(filters)) void refetchAfterPending(queries, query)
}

async function refetchAfterPending(queries: QueryClient, query: Query): Promise<void> {
  if (isNext.has(query)) return
  isNext.add(query)
  await query.promise?.catch(() => {})
  isNext.delete(query)
  await queries.invalidateQueries({ queryKey: query.queryKey, exact: true }, { cancelRefetch: false })
}

/** For a server that is back: what is on its way may hang in a connection that is dead, and for longer than anybody waits. */
export async function refetchAll(queries: QueryClient): Promise<void> {
  await queries.cancelQueries()
  await queries.invalidateQueries()
}
