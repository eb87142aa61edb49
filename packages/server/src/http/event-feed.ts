import { setImmediate as nextTurn } from 'node:timers/promises'
import { getEvents } from '@wharf/contract'
import type { Database } from '@wharf/database/database.ts'
import { CoalescedPoll } from '@wharf/platform/single-flight.ts'
import type { Caller } from '../calls/caller.ts'
import { eventsWithin } from '../events/events-within-scope.ts'
import { internalAudience, type Outbox, type RecordedChange } from '../events/outbox.ts'
import type { Credentials } from '../resources/identity/credentials.ts'
import { type ServedBinding, stream } from './exchange.ts'
import type { OpenStreams } from './open-streams.ts'
import { lastEventId, openStream } from './revocable-stream.ts'
import type { SseWriter } from './sse-writer.ts'

interface EventFeedDeps {
  database: Database
  events: Outbox
  credentials: Credentials
  streams: OpenStreams
  formatTimestamp: (ms: number) => string
}

const eventsPerTurn = 50

export function eventFeedOperations({
  database,
  events,
  credentials,
  streams,
  formatTimestamp,
}: EventFeedDeps): ServedBinding[] {
  const isForCaller = ({ audience }: RecordedChange, { userUuid, role }: Caller): boolean =>
    audience === null || audience === userUuid || (role === 'admin' && audience !== internalAudience)

  const send = (to: SseWriter, { sequence, type, resourceType, uuid, at }: RecordedChange): void =>
    to.send({ id: sequence, data: JSON.stringify({ type, resourceType, uuid, at: formatTimestamp(at) }) })

  /** Those of the events that exist for the caller. */
  const visibleTo = async (caller: Caller, changes: readonly RecordedChange[]): Promise<readonly RecordedChange[]> => {
    const own = changes.filter((change) => isForCaller(change, caller))
    return caller.scope === undefined ? own : eventsWithin(database, caller.scope, own)
  }

  /** The events of a caller with a scope are checked in the database, one read at a time and in their order. */
  const scopedSender = (to: SseWriter, caller: Caller): ((change: RecordedChange) => void) => {
    const waiting: RecordedChange[] = []
    const poll = new CoalescedPoll(async () => {
      const changes = waiting.splice(0)
      try {
        for (const change of await visibleTo(caller, changes)) send(to, change)
      } catch {
        // the reader reconnects with its last event
        to.end()
      }
    })
    return (change) => {
      waiting.push(change)
      poll.request()
    }
  }

  const sender = (to: SseWriter, caller: Caller): ((change: RecordedChange) => void) =>
    caller.scope === undefined
      ? (change) => void (isForCaller(change, caller) && send(to, change))
      : scopedSender(to, caller)

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
          for (const [index, change] of (await visibleTo(caller, old)).entries()) {
            if (to.closed) break
            send(to, change)
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
      const deliver = sender(to, caller)
      to.onClose(events.subscribe((change) => void (change.sequence > sent && deliver(change))))
    }),
  ]
}
