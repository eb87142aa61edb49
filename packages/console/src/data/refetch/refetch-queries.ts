import type { Query, QueryClient, QueryFilters } from '@tanstack/react-query'

/** Queries that are refetched when the pending response arrives. */
const scheduled = new WeakSet<Query>()

/**
 * Refetches stale queries that are rendered. A pending response may be from before the change, so the query is sent again
 * after it; not instead of it, because changes that are faster than responses would then never show one. Returns the number
 * of requests.
 */
export function refetchChanged(queries: QueryClient, filters: QueryFilters = {}): number {
  const stale = queries.getQueryCache().findAll(filters)
  for (const query of stale) void refetchAfterPending(queries, query)
  return stale.filter((query) => query.isActive()).length
}

async function refetchAfterPending(queries: QueryClient, query: Query): Promise<void> {
  if (scheduled.has(query)) return
  scheduled.add(query)
  await query.promise?.catch(() => {})
  scheduled.delete(query)
  await queries.invalidateQueries({ queryKey: query.queryKey, exact: true }, { cancelRefetch: false })
}

/** After a reconnect: pending requests may hang in a dead connection, so they are cancelled. */
export async function refetchAll(queries: QueryClient): Promise<void> {
  await queries.cancelQueries()
  await queries.invalidateQueries()
}
