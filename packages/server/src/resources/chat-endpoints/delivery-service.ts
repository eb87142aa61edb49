import type { SystemEventName } from '@wharf/contract'
import type { Database, Tx } from '@wharf/database/database.ts'
import { deleteInBatches } from '@wharf/database/delete-in-batches.ts'
import { ApiError, notFound } from '@wharf/platform/api-error.ts'
import type { Clock } from '@wharf/platform/clock.ts'
import { newSequentialUuid } from '@wharf/platform/ids.ts'
import type { Outbox } from '../../events/outbox.ts'
import type { DeliveryLimits } from './delivery-limits.ts'
import { type DeliveryRow, DeliveryStore } from './delivery-store.ts'
import type { ChatMessage, Language } from './platforms/chat-platform.ts'
import { ChatEndpointStore } from './store.ts'

export type Message = ChatMessage & { readonly alertUuid: string }

/** A message about Wharf itself; its text is rendered from the data before the first attempt. */
export type SystemEventMessage = ChatMessage & {
  readonly endpointUuid: string
  readonly ownEvent: SystemEventName
  readonly resourceType: string | null
  readonly resourceUuid: string | null
  readonly ownEventData: string | null
}

/** An enabled endpoint and the events of Wharf itself that it receives. */
export interface Subscriber {
  readonly uuid: string
  readonly language: Language
  readonly ownEvents: readonly SystemEventName[]
}

interface DeliveryDeps {
  database: Database
  events: Outbox
  clock: Clock
  limits: DeliveryLimits
}

type QueuedMessage = Omit<SystemEventMessage, 'ownEvent'> & Pick<DeliveryRow, 'ownEvent' | 'alertUuid'>

/** A test of a system event that was sent once. */
interface SentTest extends ChatMessage {
  readonly uuid: string
  readonly endpointUuid: string
  readonly ownEvent: SystemEventName
  /** Why it did not arrive; null when it did. */
  readonly reason: string | null
}

const noOwnEvent = { ownEvent: null, resourceType: null, resourceUuid: null, ownEventData: null }

/** How long settled deliveries are kept. */
const keepSettledMs = 90 * 86_400_000

/** Messages until they are delivered or have failed. */
export class DeliveryService {
  readonly #deps: DeliveryDeps
  readonly #store: DeliveryStore
  readonly #endpointStore: ChatEndpointStore

  constructor(deps: DeliveryDeps) {
    this.#deps = deps
    this.#store = new DeliveryStore(deps.database)
    this.#endpointStore = new ChatEndpointStore(deps.database)
  }

  /** Taken before messages are queued, and before their alerts are stored, so that both have one order on all nodes. */
  lock(tx: Tx): Promise<void> {
    return this.#store.lock(tx)
  }

  /** In the transaction that stores the alerts: one delivery for each subscribed endpoint. */
  async enqueue(tx: Tx, platformUuid: string, messages: readonly Message[]): Promise<void> {
    if (messages.length === 0) return
    const endpoints = (await this.#endpointStore.listEnabled(tx)).filter((one) => subscribes(one, platformUuid))
    const rows = messages.flatMap((message) =>
      endpoints.map(({ uuid: endpointUuid }) => ({ ...message, ...noOwnEvent, endpointUuid })),
    )
    await this.#enqueue(tx, rows)
  }

  async listSubscribers(tx: Tx): Promise<Subscriber[]> {
    const endpoints = await this.#endpointStore.listEnabled(tx)
    return endpoints.map(({ uuid, language, ownEvents }) => ({
      uuid,
      language,
      ownEvents: JSON.parse(ownEvents) as SystemEventName[],
    }))
  }

  /** In the transaction of the event, after `lock`. */
  enqueueSystemEvents(tx: Tx, messages: readonly SystemEventMessage[]): Promise<void> {
    return this.#enqueue(
      tx,
      messages.map((message) => ({ ...message, alertUuid: null })),
    )
  }

  async #enqueue(tx: Tx, messages: readonly QueuedMessage[]): Promise<void> {
    if (messages.length === 0) return
    const now = this.#deps.clock.now()
    let sequence = await this.#store.lastSequence(tx)
    const rows = messages.map((message): DeliveryRow => ({ ...this.#newRow(now, ++sequence), ...message }))
    await this.#store.insert(tx, rows)
    for (const { uuid } of rows) await this.publish(tx, 'Created', uuid)
  }

  /** Stores a test in the history. May happen twice. */
  async recordTest(tx: Tx, { reason, ...message }: SentTest): Promise<void> {
    if ((await this.#store.find(message.uuid, tx)) !== undefined) return
    await this.#store.lock(tx)
    const now = this.#deps.clock.now()
    const isDelivered = reason === null
    const row: DeliveryRow = {
      ...this.#newRow(now, (await this.#store.lastSequence(tx)) + 1),
      ...noOwnEvent,
      ...message,
      alertUuid: null,
      status: isDelivered ? 'Delivered' : 'Failed',
      attempts: 1,
      reason,
      nextAttemptDate: null,
      deliveredDate: isDelivered ? now : null,
    }
    await this.#store.insert(tx, [row])
    await this.publish(tx, 'Created', row.uuid)
  }

  #newRow(now: number, sequence: number) {
    return {
      uuid: newSequentialUuid(),
      status: 'Waiting' as const,
      attempts: 0,
      partsDelivered: 0,
      audience: null,
      reason: null,
      nextAttemptDate: now,
      giveUpDate: now + this.#deps.limits.maxDeliveryMs,
      deliveredDate: null,
      sequence,
      createDate: now,
      lastOpDate: now,
    }
  }

  /** Queues a failed delivery again, behind those that wait. */
  async resend(tx: Tx, uuid: string): Promise<DeliveryRow> {
    const { clock, limits } = this.#deps
    const store = this.#store
    await store.lock(tx)
    const now = clock.now()
    const before = await store.find(uuid, tx)
    const isQueued = await store.updateFailed(tx, uuid, {
      status: 'Waiting',
      attempts: 0,
      partsDelivered: 0,
      audience: null,
      nextAttemptDate: now,
      giveUpDate: now + limits.maxDeliveryMs,
      sequence: (await store.lastSequence(tx)) + 1,
      lastOpDate: now,
    })
    const row = await store.find(uuid, tx)
    if (row === undefined) throw notFound('delivery', uuid)
    if (!isQueued)
      throw new ApiError('SYS.1005', `the delivery is ${row.status}; only one that is Failed can be sent again`)
    const images = { before: { ...before }, after: { ...row } }
    await this.#deps.events.record(tx, { type: 'Updated', resourceType: 'Delivery', uuid, ...images })
    return row
  }

  /** A message that is sent changes no record of a user. */
  publish(tx: Tx, type: string, uuid: string): Promise<void> {
    return this.#deps.events.record(tx, { type, resourceType: 'Delivery', uuid, isRoutine: true })
  }

  backlog() {
    return this.#store.backlog()
  }

  async removeOld(): Promise<void> {
    const { database, clock, events } = this.#deps
    const store = this.#store
    const now = clock.now()
    const overdue = await store.overdue(now)
    await deleteInBatches(database, async (tx, limit) => {
      const batch = overdue.splice(0, limit)
      for (const { uuid, reason } of batch) await this.fail(tx, uuid, reason ?? 'the endpoint was disabled')
      return batch.length
    })
    await deleteInBatches(database, async (tx, limit) => {
      const count = await store.deleteSettledBefore(tx, now - keepSettledMs, limit)
      events.collectRemoval(tx, 'Delivery', count)
      return count
    })
  }

  async fail(tx: Tx, uuid: string, reason: string, more: Partial<DeliveryRow> = {}): Promise<void> {
    const lastOpDate = this.#deps.clock.now()
    const change = { status: 'Failed', reason, nextAttemptDate: null, lastOpDate } as const
    if (await this.#store.updateWaiting(tx, uuid, { ...more, ...change })) await this.publish(tx, 'Updated', uuid)
  }
}

/** An empty list means every platform; a list of deleted platforms means none. */
function subscribes({ platformUuids }: { platformUuids: string }, platformUuid: string): boolean {
  const subscribed = JSON.parse(platformUuids) as string[]
  return subscribed.length === 0 || subscribed.includes(platformUuid)
}
