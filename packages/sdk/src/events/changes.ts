import { getEvents } from '@wharf/contract'
import type { Transport } from '../http/transport.ts'
import { type Following, followEvents } from './reconnecting.ts'

/** Something has changed on the server. */
export interface Change {
  /** For `lastEventId` of the next time. */
  readonly id: string
  /** Created, Updated, Deleted, or a word of the resource's own. */
  readonly type: string
  readonly resourceType: string
  readonly uuid: string
  readonly at: string
}

export interface EventsOptions extends Following {
  /** Begin after this one; the server remembers an hour. */
  lastEventId?: string | undefined
}

export async function* changes(transport: Transport, options: EventsOptions = {}): AsyncGenerator<Change> {
  for await (const { id, data } of followEvents(transport, { path: getEvents.path, ...options }))
    yield { id: id ?? '', ...(JSON.parse(data) as Omit<Change, 'id'>) }
}
