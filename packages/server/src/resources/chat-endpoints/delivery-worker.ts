import { outsideTransaction, type Tx } from '@wharf/database/database.ts'
import { waitAtMost } from '@wharf/platform/abort.ts'
import { newUuid } from '@wharf/platform/ids.ts'
import type { Log } from '@wharf/platform/log.ts'
import { CoalescedPoll } from '@wharf/platform/single-flight.ts'
import type { Outbox } from '../../events/outbox.ts'
import { type AttemptDeps, attemptDelivery, settleFailure } from './delivery-attempt.ts'
import type { DeliveryRow } from './delivery-store.ts'
import type { EndpointRow } from './store.ts'

interface DeliveryWorkerDeps extends AttemptDeps {
  readonly events: Outbox
  readonly log: Log
  readonly nodeUuid: string
}

/** Aborts the running request; its message stays queued. */
class Stopped extends Error {}

/**
 * Serves the endpoints that have waiting messages, each by one process at a time, one message after another. The messages
 * are in the database, so another process continues after a crash.
 */
export class DeliveryWorker {
  readonly #deps: DeliveryWorkerDeps
  readonly #owner: string
  readonly #serving = new Map<string, Promise<void>>()
  readonly #stop = new AbortController()
  #isStopping = false
  #timer: NodeJS.Timeout | undefined
  readonly #poll = new CoalescedPoll(() => this.#claimDue())
  #stopListening: () => void = () => {}

  constructor(deps: DeliveryWorkerDeps) {
    this.#deps = deps
    this.#owner = `${deps.nodeUuid}:${newUuid()}`
  }

  async start(): Promise<void> {
    const { database, store, events, limits, nodeUuid } = this.#deps
    // this process has the lock of the node, so no other process uses its old leases
    await database.transaction((tx) => store.releaseAllOf(tx, nodeUuid))
    this.#stopListening = events.subscribe(({ resourceType, type }) => {
      const hasWork = resourceType === 'Delivery' || resourceType === 'ChatAppEndpoint'
      if (hasWork && type !== 'Deleted') this.#requestPoll()
    })
    this.#timer = setInterval(() => this.#requestPoll(), limits.pollMs)
    this.#requestPoll()
  }

  /** Waits for running requests up to `stopMs`, then aborts them. */
  async stop(): Promise<void> {
    this.#isStopping = true
    clearInterval(this.#timer)
    this.#stopListening()
    const ended = this.#poll.running?.then(() => this.#allServed()) ?? this.#allServed()
    await waitAtMost(this.#deps.limits.stopMs, ended)
    this.#stop.abort(new Stopped('this process is shutting down'))
    await waitAtMost(this.#deps.limits.stopMs, ended)
  }

  async #allServed(): Promise<void> {
    await Promise.all(this.#serving.values())
  }

  #requestPoll(): void {
    if (!this.#isStopping) outsideTransaction(() => this.#poll.request())
  }

  async #claimDue(): Promise<void> {
    const { database, store, clock, limits, log } = this.#deps
    const limit = limits.maxServed - this.#serving.size
    if (limit <= 0 || this.#isStopping) return
    try {
      const claim = { owner: this.#owner, dueBy: clock.now(), leaseMs: limits.leaseMs, limit }
      for (const { uuid } of await database.transaction((tx) => store.claim(tx, claim))) this.#startServing(uuid)
    } catch (error) {
      log.warn({ err: error }, 'due messages could not be claimed')
    }
  }

  #startServing(uuid: string): void {
    const served = this.#serve(uuid)
      .then(
        () => true,
        (error: unknown) => {
          if (!(error instanceof Stopped))
            this.#deps.log.error({ err: error, endpoint: uuid }, 'a chat endpoint could not be served')
          return false
        },
      )
      .then(async (isServed) => {
        await this.#release(uuid)
        this.#serving.delete(uuid)
        // a message that was queued during the release would wait for the next poll
        if (isServed) this.#requestPoll()
      })
    this.#serving.set(uuid, served)
  }

  async #serve(uuid: string): Promise<void> {
    const { database, store, clock, deliveries, endpoints } = this.#deps
    while (!this.#isStopping) {
      const [delivery, endpoint] = await Promise.all([store.head(uuid), endpoints.find(uuid)])
      const now = clock.now()
      if (delivery === undefined || endpoint?.state !== 'Enabled' || (delivery.nextAttemptDate ?? 0) > now) return
      if (now > delivery.giveUpDate) {
        const reason = delivery.reason ?? 'it could not be sent in time'
        await database.transaction((tx) => deliveries.fail(tx, delivery.uuid, reason))
        continue
      }
      if (endpoint.owner !== this.#owner) return
      await this.#attempt(endpoint, delivery)
    }
  }

  async #attempt(endpoint: EndpointRow, delivery: DeliveryRow): Promise<void> {
    const { database, store, limits } = this.#deps
    const renewIn = (tx: Tx): Promise<boolean> => store.renew(tx, endpoint.uuid, this.#owner, limits.leaseMs)
    const lease = { renew: () => database.transaction(renewIn), renewIn, signal: this.#stop.signal }
    try {
      await attemptDelivery(this.#deps, endpoint, delivery, lease)
    } catch (error) {
      if (error instanceof Stopped) throw error
      this.#deps.log.error({ err: error, delivery: delivery.uuid }, 'a delivery attempt failed unexpectedly')
      await settleFailure(
        this.#deps,
        delivery,
        { kind: 'retry', reason: 'an internal error; the server log has details' },
        lease,
      )
    }
  }

  async #release(uuid: string): Promise<void> {
    const { database, store, log } = this.#deps
    try {
      await database.transaction((tx) => store.release(tx, uuid, this.#owner))
    } catch (error) {
      log.warn({ err: error, endpoint: uuid }, 'a chat endpoint could not be released; its lease will expire')
    }
  }
}
