import { setImmediate as nextTurn } from 'node:timers/promises'
import { getEvents } from '@wharf/contract'
import type { Caller } from '../calls/caller.ts'
import { type Events, internalAudience, type RecordedChange } from '../events/events.ts'
import type { Credentials } from '../resources/identity/credentials.ts'
import type { EventStream } from './event-stream.ts'
import { type ServedBinding, stream } from './exchange.ts'
import type { OpenStreams } from './open-streams.ts'
import { lastEventId, openStream } from './revocable-stream.ts'

interface EventOperationDeps {
  events: Events
  credentials: Credentials
  streams: OpenStreams
  formatTimestamp: (ms: number) => string
}

const eventsPerTurn = 50

export function eventOperations({
  events,
  credentials,
  streams,
  formatTimestamp,
}: EventOperationDeps): ServedBinding[] {
  const send = (
    to: EventStream,
    caller: Caller,
    { sequence, type, resourceType, uuid, at, audience }: RecordedChange,
  ): void => {
    const visible =
      audience === null || audience === caller.userUuid || (caller.role === 'admin' && audience !== internalAudience)
    if (visible) to.send({ id: sequence, data: JSON.stringify({ type, resourceType, uuid, at: formatTimestamp(at) }) })
  }

  return [
    stream(getEvents, async ({ caller }, { request, reply }) => {
      const to = openStream(reply, caller, { credentials, streams })
      let sent = lastEventId(request.headers) ?? events.lastSequence
      try {
        // another node may be ahead of this one; a number that is not assigned yet means now
        if (sent > events.lastSequence && sent > (await events.newestSequence())) sent = events.lastSequence
        while (!to.closed && sent < events.lastSequence) {
          const upTo = events.lastSequence
          const old = await events.replay(sent, upTo)
          for (const [index, change] of old.entries()) {
            if (to.closed) break
            send(to, caller, change)
            await to.drained()
            // many readers that catch up must not block other calls
            if (index % eventsPerTurn === eventsPerTurn - 1) await nextTurn()
          }
          sent = old.at(-1)?.sequence ?? upTo
        }
      } catch {
        // the database is unavailable; the reader reconnects with its last event
        to.end()
      }
      // nothing was awaited since the last check, so no event is missed; events that the reader got from another node are skipped
      to.onClose(events.subscribe((change) => change.sequence > sent && send(to, caller, change)))
    }),
  ]
}
