/** The id of the segment that a filter corresponds to: all, one status, or null for any other filter. */
export function statusSegment<S extends string>(
  conditions: readonly string[],
  statuses: readonly S[],
): S | 'all' | null {
  if (conditions.length === 0) return 'all'
  return statuses.find((status) => conditions.length === 1 && conditions[0] === `status=${status}`) ?? null
}

/** The parameters of the URL that select a segment. */
export const segmentSearch = (segment: string): { q?: string } => (segment === 'all' ? {} : { q: `status=${segment}` })
