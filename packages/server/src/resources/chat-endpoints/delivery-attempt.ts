import type { Database, Tx } from '@wharf/database/database.ts'
import type { Cidr } from '@wharf/platform/cidr.ts'
import type { Clock } from '@wharf/platform/clock.ts'
import type { DeliveryLimits } from './delivery-limits.ts'
import type { DeliveryService } from './delivery-service.ts'
import type { DeliveryRow, DeliveryStore } from './delivery-store.ts'
import type { EventRenderer } from './event-renderer.ts'
import type { Language, Recipient, Verdict } from './platforms/chat-platform.ts'
import { chatPlatforms } from './platforms/platforms.ts'
import { isTooLong, retryPauseMs } from './retry-pause.ts'
import { send } from './send-request.ts'
import type { ChatEndpointService } from './service.ts'
import type { EndpointRow } from './store.ts'

export interface AttemptDeps {
  readonly database: Database
  readonly clock: Clock
  readonly store: DeliveryStore
  readonly deliveries: DeliveryService
  readonly endpoints: ChatEndpointService
  readonly limits: DeliveryLimits
  readonly eventRenderer: EventRenderer
  readonly formatTimestamp: (ms: number) => string
  readonly settings: {
    readonly downloadAllow: readonly Cidr[]
    readonly caFile?: string | undefined
    readonly timezone: string
  }
}

/** The lease of this process on an endpoint. */
export interface EndpointLease {
  /** Before every request: false when another process serves the endpoint. */
  readonly renew: () => Promise<boolean>
  /** The same, until this transaction ends. */
  readonly renewIn: (tx: Tx) => Promise<boolean>
  readonly signal: AbortSignal
}

const maxReasonLength = 1024

/**
 * The mentions and the language are stored when the first part of a message was delivered, because the other parts must be
 * split in the same way. Address and secret are always the current ones.
 */
type Audience = Pick<Recipient, 'mentions' | 'atAll' | 'language'>

/** After this a reader can no longer assume that a message is current. */
const lateMs = 15 * 60_000

const lateNotices: Readonly<Record<Language, (time: string) => string>> = {
  en: (time) => `(late: this is of ${time})`,
  zh: (time) => `（延迟送达：消息时间为 ${time}）`,
}

/** Adds the time of a late message before its text, but not between its parts, which must be split in the same way. */
export function withLateNotice(
  { text, createDate, partsDelivered }: Pick<DeliveryRow, 'text' | 'createDate' | 'partsDelivered'>,
  { now, language, formatTime }: { now: number; language: Language; formatTime: (ms: number) => string },
): string {
  if (partsDelivered > 0 || now - createDate <= lateMs) return text
  const line = lateNotices[language](formatTime(createDate))
  return text.startsWith(line) ? text : `${line}\n\n${text}`
}

/** Renders the text of an event once; undefined when the delivery no longer waits. */
async function rendered(
  { database, store, eventRenderer }: AttemptDeps,
  endpoint: EndpointRow,
  delivery: DeliveryRow,
): Promise<DeliveryRow | undefined> {
  if (delivery.ownEventData === null) return delivery
  const change = { text: await eventRenderer.render(delivery.ownEventData, endpoint), ownEventData: null }
  const isWaiting = await database.transaction((tx) => store.updateWaiting(tx, delivery.uuid, change))
  return isWaiting ? { ...delivery, ...change } : undefined
}

/** Attempts to deliver one message and stores the result. A part that was delivered is not sent again. */
export async function attemptDelivery(
  deps: AttemptDeps,
  endpoint: EndpointRow,
  waiting: DeliveryRow,
  lease: EndpointLease,
): Promise<void> {
  const delivery = await rendered(deps, endpoint, waiting)
  if (delivery === undefined) return
  const { renew, signal } = lease
  const { database, clock, store, endpoints, limits, settings } = deps
  const platform = chatPlatforms[endpoint.type]
  const recipient = await endpoints.recipient(endpoint)
  const to = delivery.audience === null ? recipient : { ...recipient, ...(JSON.parse(delivery.audience) as Audience) }
  const formatTime = (ms: number): string => `${deps.formatTimestamp(ms)} ${settings.timezone}`
  const text = withLateNotice(delivery, { now: to.now, language: to.language, formatTime })
  const requests = platform.render({ ...delivery, text }, to)
  // with the text, because the following parts must be split in the same way
  const { mentions, atAll, language } = to
  const firstPart = { text, audience: JSON.stringify({ mentions, atAll, language } satisfies Audience) }
  for (let part = delivery.partsDelivered; part < requests.length; part++) {
    const request = requests[part]
    if (request === undefined || !(await renew())) return
    const verdict = await send(platform, request, {
      signal,
      allow: settings.downloadAllow,
      caFile: settings.caFile,
      requestMs: limits.requestMs,
      // the sequence distinguishes a message that was resent from one that is retried
      idempotencyKey: `${delivery.uuid}-${delivery.sequence}-${part + 1}`,
      clock,
    })
    if (verdict.kind !== 'delivered') return settleFailure(deps, delivery, verdict, lease)
    if (part + 1 < requests.length)
      await database.transaction((tx) =>
        store.updateWaiting(tx, delivery.uuid, { partsDelivered: part + 1, ...firstPart }),
      )
  }
  await database.transaction(async (tx) => {
    const now = clock.now()
    const isDelivered = await store.updateWaiting(tx, delivery.uuid, {
      status: 'Delivered',
      attempts: delivery.attempts + 1,
      partsDelivered: requests.length,
      text,
      reason: null,
      nextAttemptDate: null,
      deliveredDate: now,
      lastOpDate: now,
    })
    if (isDelivered) await deps.deliveries.publish(tx, 'Updated', delivery.uuid)
  })
}

/**
 * Schedules the next attempt, or fails the delivery when that would be too late. A process that has lost its lease writes
 * nothing: the current owner may be about to succeed. A delivered message is recorded by either.
 */
export async function settleFailure(
  { database, clock, store, deliveries, limits }: AttemptDeps,
  { uuid, attempts: before, giveUpDate }: DeliveryRow,
  verdict: Exclude<Verdict, { kind: 'delivered' }>,
  { renewIn }: Pick<EndpointLease, 'renewIn'>,
): Promise<void> {
  const now = clock.now()
  const attempts = before + 1
  const leftMs = giveUpDate - now
  const pause =
    verdict.kind === 'dead'
      ? Number.POSITIVE_INFINITY
      : retryPauseMs(attempts, { ...limits, leftMs, afterSeconds: verdict.afterSeconds, random: Math.random() })
  const nextAttemptDate = now + pause
  const reason = reasonOf(verdict, leftMs).slice(0, maxReasonLength).toWellFormed()
  await database.transaction(async (tx) => {
    if (!(await renewIn(tx))) return
    if (nextAttemptDate > giveUpDate) await deliveries.fail(tx, uuid, reason, { attempts })
    else await store.updateWaiting(tx, uuid, { attempts, reason, nextAttemptDate, lastOpDate: now })
  })
}

function reasonOf(verdict: Exclude<Verdict, { kind: 'delivered' }>, leftMs: number): string {
  const { reason, afterSeconds } = { afterSeconds: undefined, ...verdict }
  if (afterSeconds === undefined || !isTooLong(afterSeconds, leftMs)) return reason
  return `${reason}; it requires a pause of ${afterSeconds} s, which is longer than the message is kept`
}
