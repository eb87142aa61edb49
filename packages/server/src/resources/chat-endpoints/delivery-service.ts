import type { Database, Tx } from '@wharf/database/database.ts'
import { deleteInBatches } from '@wharf/database/delete-in-batches.ts'
import { ApiError, notFound } from '@wharf/platform/api-error.ts'
import type { Clock } from '@wharf/platform/clock.ts'
import { newUuid } from '@wharf/platform/ids.ts'
import type { Events } from '../../events/events.ts'
import type { DeliveryLimits } from './delivery-limits.ts'
import type { DeliveryRow, DeliveryStore } from './delivery-store.ts'
import type { ChatMessage } from './platforms/chat-platform.ts'
import type { ChatEndpointStore } from './store.ts'

export type Message = ChatMessage & { readonly alertUuid: string }

interface DeliveryDeps {
  database: Database
  events: Events
  clock: Clock
  store: DeliveryStore
  endpointStore: ChatEndpointStore
  limits: DeliveryLimits
}

/** How long settled deliveries are kept. */
const keepSettledMs = 90 * 86_400_000

/** Messages until they are delivered or have failed. */
export class DeliveryService {
  readonly #deps: DeliveryDeps

  constructor(deps: DeliveryDeps) {
    this.#deps = deps
  }

  /** Taken before alerts are stored and their messages queued, so that both have one order on all nodes. */
  lock(tx: Tx): Promise<void> {
    return this.#deps.store.lock(tx)
  }

  /** In the transaction that stores the alerts: one delivery for each subscribed endpoint. */
  async enqueue(tx: Tx, platformUuid: string, messages: readonly Message[]): Promise<void> {
    const { store, endpointStore, clock, limits } = this.#deps
    if (messages.length === 0) return
    const endpoints = (await endpointStore.listEnabled(tx)).filter((endpoint) => subscribes(endpoint, platformUuid))
    const now = clock.now()
    let sequence = await store.lastSequence(tx)
    const rows = messages.flatMap((message) =>
      endpoints.map(
        (endpoint): DeliveryRow => ({
          uuid: newUuid(),
          endpointUuid: endpoint.uuid,
          ...message,
          status: 'Waiting',
          attempts: 0,
          partsDelivered: 0,
          audience: null,
          reason: null,
          nextAttemptDate: now,
          giveUpDate: now + limits.maxDeliveryMs,
          deliveredDate: null,
          sequence: ++sequence,
          createDate: now,
          lastOpDate: now,
        }),
      ),
    )
    await store.insert(tx, rows)
    for (const { uuid } of rows) await this.publish(tx, 'Created', uuid)
  }

  /** Queues a failed delivery again, behind those that wait. */
  async resend(tx: Tx, uuid: string): Promise<DeliveryRow> {
    const { store, clock, limits } = this.#deps
    await store.lock(tx)
    const now = clock.now()
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
    await this.publish(tx, 'Updated', uuid)
    return row
  }

  publish(tx: Tx, type: string, uuid: string): Promise<void> {
    return this.#deps.events.record(tx, { type, resourceType: 'Delivery', uuid })
  }

  backlog() {
    return this.#deps.store.backlog()
  }

  async removeOld(): Promise<void> {
    const { database, store, clock } = this.#deps
    const now = clock.now()
    const overdue = await store.overdue(now)
    await deleteInBatches(database, async (tx, limit) => {
      const batch = overdue.splice(0, limit)
      for (const { uuid, reason } of batch) await this.fail(tx, uuid, reason ?? 'the endpoint was disabled')
      return batch.length
    })
    await deleteInBatches(database, (tx, limit) => store.deleteSettledBefore(tx, now - keepSettledMs, limit))
  }

  async fail(tx: Tx, uuid: string, reason: string, more: Partial<DeliveryRow> = {}): Promise<void> {
    const { store, clock } = this.#deps
    const change = { status: 'Failed', reason, nextAttemptDate: null, lastOpDate: clock.now() } as const
    if (await store.updateWaiting(tx, uuid, { ...more, ...change })) await this.publish(tx, 'Updated', uuid)
  }
}

/** An empty list means every platform; a list of deleted platforms means none. */
function subscribes({ platformUuids }: { platformUuids: string }, platformUuid: string): boolean {
  const subscribed = JSON.parse(platformUuids) as string[]
  return subscribed.length === 0 || subscribed.includes(platformUuid)
}
