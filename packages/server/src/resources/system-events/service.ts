import type { SystemEventName } from '@wharf/contract'
import type { Database, Tx } from '@wharf/database/database.ts'
import type { Clock } from '@wharf/platform/clock.ts'
import type { SystemEvent, SystemEventRecorder } from '../../events/system-event.ts'
import type { DeliveryService, Subscriber, SystemEventMessage } from '../chat-endpoints/service.ts'
import { type DatedEvent, datedEvent, plainMessage } from './plain-message.ts'
import { decide } from './repeat-limit.ts'
import { SystemEventStore } from './store.ts'
import { eventsOf, topicOf } from './topics.ts'

interface SystemEventDeps {
  readonly database: Database
  readonly clock: Clock
  readonly deliveries: DeliveryService
}

/** Of one transaction: other events wait for it. */
const sentAtOnce = 100

/** Queues messages about Wharf itself for the endpoints that subscribe to them. */
export class SystemEvents implements SystemEventRecorder {
  readonly #deps: SystemEventDeps
  readonly #store: SystemEventStore

  constructor(deps: SystemEventDeps) {
    this.#deps = deps
    this.#store = new SystemEventStore(deps.database)
  }

  async record(tx: Tx, event: SystemEvent): Promise<void> {
    const { deliveries, clock } = this.#deps
    const topic = topicOf(event.event)
    const related = new Set(topic === undefined ? [event.event] : eventsOf(topic))
    const subscribers = (await deliveries.listSubscribers(tx)).filter(({ ownEvents }) =>
      ownEvents.some((name) => related.has(name)),
    )
    if (subscribers.length === 0) return
    await deliveries.lock(tx)
    const dated = datedEvent(event, clock.now())
    const messages: SystemEventMessage[] = []
    for (const subscriber of subscribers)
      if (topic === undefined || (await this.#isDue(tx, topic, dated, subscriber)))
        messages.push(messageTo(subscriber, dated))
    await deliveries.enqueueSystemEvents(tx, messages)
  }

  /** Stores what this endpoint is to know about a state; true when it is to be sent now. */
  async #isDue(tx: Tx, topic: string, event: DatedEvent, { uuid, ownEvents }: Subscriber): Promise<boolean> {
    const key = { endpointUuid: uuid, topic, resourceUuid: event.resource.uuid }
    const last = await this.#store.find(tx, key)
    const isSubscribed = ownEvents.includes(event.event)
    if (!isSubscribed && last === undefined) return false
    const decision = isSubscribed ? decide(last, event.event, event.at) : 'ignore'
    if (decision === 'send' || last === undefined)
      await this.#store.save(tx, { ...key, sentEvent: event.event, sentDate: event.at, heldEvent: null })
    else await this.#store.save(tx, { ...last, heldEvent: decision === 'hold' ? JSON.stringify(event) : null })
    return decision === 'send'
  }

  /** Periodically on every node: reports the states that changed since the last message, once its interval is over. */
  async sendHeld(): Promise<void> {
    const { database, clock } = this.#deps
    while (await this.#store.hasDue(clock.now()))
      if ((await database.transaction((tx) => this.#sendSomeHeld(tx))) < sentAtOnce) return
  }

  async #sendSomeHeld(tx: Tx): Promise<number> {
    const { deliveries, clock } = this.#deps
    // before the rows are read, so that nodes do not send the same
    await deliveries.lock(tx)
    const now = clock.now()
    const rows = await this.#store.listDue(tx, now, sentAtOnce)
    const subscribers = new Map((await deliveries.listSubscribers(tx)).map((one) => [one.uuid, one]))
    const messages: SystemEventMessage[] = []
    for (const { heldEvent, ...row } of rows) {
      const event = JSON.parse(heldEvent ?? 'null') as DatedEvent
      const subscriber = subscribers.get(row.endpointUuid)
      const isSubscribed = subscriber?.ownEvents.includes(event.event)
      if (subscriber && isSubscribed) messages.push(messageTo(subscriber, event))
      const sent = isSubscribed ? { sentEvent: event.event, sentDate: now } : {}
      await this.#store.save(tx, { ...row, ...sent, heldEvent: null })
    }
    await deliveries.enqueueSystemEvents(tx, messages)
    return rows.length
  }

  removeOld(): Promise<void> {
    return this.#store.removeOld(this.#deps.clock.now())
  }
}

function messageTo({ uuid, language }: Subscriber, event: DatedEvent): SystemEventMessage {
  const { type: resourceType, uuid: resourceUuid } = event.resource
  const ownEvent: SystemEventName = event.event
  const ownEventData = JSON.stringify(event)
  return { ...plainMessage(event, language), endpointUuid: uuid, ownEvent, resourceType, resourceUuid, ownEventData }
}
