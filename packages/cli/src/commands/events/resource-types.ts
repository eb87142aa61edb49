/** The types of records whose changes are events. */
export async function resourceTypes(): Promise<string[]> {
  const { inventories } = await import('@wharf/contract')
  return [...new Set<string>(inventories.flatMap(({ events }) => events))].sort()
}
