import { getEvents } from '@wharf/contract'
import { type Binding, stream } from '../http/bind.ts'
import { EventStream } from '../http/event-stream.ts'
import type { OpenStreams } from '../http/open-streams.ts'
import type { Caller } from '../identity/caller.ts'
import type { Credentials } from '../identity/credentials.ts'
import type { Events, RecordedChange } from './events.ts'

/** A session that ends by itself is noticed at this interval; one that is ended, at once. */
const checkMs = 10_000

interface Parts {
  events: Events
  credentials: Credentials
  streams: OpenStreams
  formatTimestamp: (ms: number) => string
}

export function eventOperations({ events, credentials, streams, formatTimestamp }: Parts): Binding[] {
  const send = (
    to: EventStream,
    caller: Caller,
    { sequence, type, resourceType, uuid, at, audience }: RecordedChange,
  ): void => {
    const visible =
      audience === null || audience === caller.userUuid || (caller.role === 'admin' && audience !== 'internal')
    if (visible) to.send({ id: sequence, data: JSON.stringify({ type, resourceType, uuid, at: formatTimestamp(at) }) })
  }

  return [
    stream(getEvents, async ({ caller }, { request, reply }) => {
      const lastSeen = Number(request.headers['last-event-id'] ?? Number.NaN)
      const to = new EventStream(reply)
      streams.add(to)
      const check = (): void => {
        credentials.holds(caller).then(
          (holds) => holds || to.end(),
          () => {},
        )
      }
      to.onClose(credentials.onChange(check))
      const timer = setInterval(check, checkMs)
      to.onClose(() => clearInterval(timer))

      // live events wait until the old ones have been sent
      let waiting: RecordedChange[] | undefined = []
      to.onClose(
        events.subscribe((change) => {
          if (waiting) waiting.push(change)
          else send(to, caller, change)
        }),
      )
      let sent = Number.isSafeInteger(lastSeen) ? lastSeen : events.lastSequence
      for (let more = true; more && !to.closed; ) {
        const old = await events.replay(sent)
        for (const change of old) send(to, caller, change)
        sent = old.at(-1)?.sequence ?? sent
        more = old.length > 0
      }
      for (const change of waiting) if (change.sequence > sent) send(to, caller, change)
      waiting = undefined
    }),
  ]
}
