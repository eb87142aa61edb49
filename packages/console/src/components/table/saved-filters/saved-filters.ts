/** A named filter of a list, in the conditions of its URL. */
export interface SavedFilter {
  readonly name: string
  readonly conditions: readonly string[]
}

/** Reads stored filters; skips invalid ones. */
export function parseFilters(stored: unknown): readonly SavedFilter[] {
  return (Array.isArray(stored) ? stored : []).flatMap((one: Partial<SavedFilter> | null) => {
    const { name, conditions } = one ?? {}
    const isValid =
      typeof name === 'string' && Array.isArray(conditions) && conditions.every((c) => typeof c === 'string')
    return isValid ? [{ name, conditions }] : []
  })
}

/** Replaces a filter of the same name. */
export const withFilter = (filters: readonly SavedFilter[], filter: SavedFilter): readonly SavedFilter[] =>
  [...withoutFilter(filters, filter.name), filter].toSorted((one, other) => one.name.localeCompare(other.name))

export const withoutFilter = (filters: readonly SavedFilter[], name: string): readonly SavedFilter[] =>
  filters.filter((filter) => filter.name !== name)

/** The saved filter with the same conditions, in any order. */
export function findFilter(filters: readonly SavedFilter[], conditions: readonly string[]): SavedFilter | undefined {
  const key = (some: readonly string[]): string => JSON.stringify(some.toSorted())
  return filters.find((filter) => key(filter.conditions) === key(conditions))
}
