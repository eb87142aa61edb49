import { inventoriesIn, operations } from '@wharf/contract'

/** The resources whose queries an event of each type makes stale: those with an operation that returns a changed record. */
export const resourcesByEvent: ReadonlyMap<string, ReadonlySet<string>> = readResourcesByEvent()

function readResourcesByEvent(): Map<string, Set<string>> {
  const byEvent = new Map<string, Set<string>>()
  for (const { answer, resource } of operations.filter(({ method }) => method === 'GET'))
    for (const event of inventoriesIn(answer).flatMap(({ events }) => events))
      byEvent.set(event, (byEvent.get(event) ?? new Set()).add(resource))
  return byEvent
}
