import type { QueryClient } from '@tanstack/react-query'
import { type Wharf, WharfError } from '@wharf/sdk'
import { refetchAll, refetchChanged } from './refetch-queries.ts'
import { resourcesByEvent } from './resources-by-event.ts'

/** Changes within this time cause one refetch. */
const batchMs = 250
/** The pause after a refetch, for each of its requests: continuous changes cause two requests a second, whatever the page shows. */
const pausePerRequestMs = 500

interface RefetchOnEventsOptions {
  readonly wharf: Pick<Wharf, 'events'>
  readonly queries: QueryClient
  readonly signal: AbortSignal
  readonly onConnection: (isOpen: boolean) => void
  readonly onSessionEnd: (how: { isOver: true }) => void
}

/** Refetches the queries that events make stale, until the signal aborts. */
export async function refetchOnEvents(follower: RefetchOnEventsOptions): Promise<void> {
  const { wharf, queries, signal, onSessionEnd } = follower
  const stale = new Set<string>()
  let timer: ReturnType<typeof setTimeout> | undefined
  const refetchStale = (): void => {
    let requests = 0
    for (const resource of stale) requests += refetchChanged(queries, { queryKey: [resource] })
    stale.clear()
    timer = setTimeout(endPause, requests * pausePerRequestMs)
  }
  const endPause = (): void => {
    timer = undefined
    if (stale.size > 0) refetchStale()
  }
  let wasDisconnected = false
  const onConnection = (isOpen: boolean): void => {
    follower.onConnection(isOpen)
    // no event reports changes from before the connection, and the server may not keep all events of an interruption
    if (isOpen && wasDisconnected) void refetchAll(queries)
    else if (isOpen) refetchChanged(queries)
    wasDisconnected = !isOpen
  }
  try {
    for await (const { resourceType } of wharf.events({ signal, onConnection })) {
      for (const resource of resourcesByEvent.get(resourceType) ?? []) stale.add(resource)
      timer ??= setTimeout(refetchStale, batchMs)
    }
  } catch (error) {
    if (signal.aborted) return
    // on an idle page this stream is the only request, so it is the first to receive the 401 of an ended session
    if (error instanceof WharfError && error.status === 401) onSessionEnd({ isOver: true })
    else console.error(error)
  } finally {
    clearTimeout(timer)
  }
}
