import { getEvents } from '@wharf/contract'
import type { Transport } from '../http/transport.ts'
import { type FollowOptions, followEvents } from './follow-events.ts'

/** A change of a record on the server. */
export interface Change {
  /** Pass it as `lastEventId` to continue after this change. */
  readonly id: string
  /** Created, Updated, Deleted, or a type that the resource defines. */
  readonly type: string
  readonly resourceType: string
  readonly uuid: string
  readonly at: string
}

export interface EventsOptions extends FollowOptions {
  /** Start after this event; the server keeps events for an hour. */
  lastEventId?: string | undefined
}

export async function* followChanges(transport: Transport, options: EventsOptions = {}): AsyncGenerator<Change> {
  for await (const { id, data } of followEvents(transport, { path: getEvents.path, ...options }))
    yield { id: id ?? '', ...(JSON.parse(data) as Omit<Change, 'id'>) }
}
