import type { Database, Tx } from '@wharf/database/database.ts'
import type { Cidr } from '@wharf/platform/cidr.ts'
import type { Clock } from '@wharf/platform/clock.ts'
import { serializeAudience, withStoredAudience } from './audience.ts'
import type { DeliveryLimits } from './delivery-limits.ts'
import type { DeliveryService } from './delivery-service.ts'
import type { DeliveryRow, DeliveryStore } from './delivery-store.ts'
import { withLateNotice } from './late-notice.ts'
import type { Verdict } from './platforms/chat-platform.ts'
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
  readonly formatTimestamp: (ms: number) => string
  readonly settings: {
    readonly downloadAllow: readonly Cidr[]
    readonly caFile?: string | undefined
    readonly timezone: string
  }
}

export interface Turn {
  /** Before every request: false when another process serves the endpoint. */
  readonly stillOurs: () => Promise<boolean>
  /** The same, until this transaction ends. */
  readonly isOursIn: (tx: Tx) => Promise<boolean>
  readonly signal: AbortSignal
}

const maxReasonLength = 1024

/** Attempts to deliver one message and stores the result. A part that was delivered is not sent again. */
export async function attemptDelivery(
  deps: AttemptDeps,
  endpoint: EndpointRow,
  delivery: DeliveryRow,
  turn: Turn,
): Promise<void> {
  const { stillOurs, signal } = turn
  const { database, clock, store, endpoints, limits, settings } = deps
  const platform = chatPlatforms[endpoint.type]
  const to = withStoredAudience(await endpoints.recipient(endpoint), delivery.audience)
  const formatTime = (ms: number): string => `${deps.formatTimestamp(ms)} ${settings.timezone}`
  const text = withLateNotice(delivery, { now: to.now, language: to.language, formatTime })
  const requests = platform.render({ ...delivery, text }, to)
  // with the text, because the following parts must be split in the same way
  const begun = { text, audience: serializeAudience(to) }
  for (let part = delivery.partsDelivered; part < requests.length; part++) {
    const request = requests[part]
    if (request === undefined || !(await stillOurs())) return
    const verdict = await send(platform, request, {
      signal,
      allow: settings.downloadAllow,
      caFile: settings.caFile,
      requestMs: limits.requestMs,
      // the sequence distinguishes a message that was resent from one that is retried
      idempotencyKey: `${delivery.uuid}-${delivery.sequence}-${part + 1}`,
      clock,
    })
    if (verdict.kind !== 'delivered') return settleFailure(deps, delivery, verdict, turn)
    if (part + 1 < requests.length)
      await database.transaction((tx) => store.updateWaiting(tx, delivery.uuid, { partsDelivered: part + 1, ...begun }))
  }
  await database.transaction(async (tx) => {
    const now = clock.now()
    const arrived = await store.updateWaiting(tx, delivery.uuid, {
      status: 'Delivered',
      attempts: delivery.attempts + 1,
      partsDelivered: requests.length,
      text,
      reason: null,
      nextAttemptDate: null,
      deliveredDate: now,
      lastOpDate: now,
    })
    if (arrived) await deps.deliveries.publish(tx, 'Updated', delivery.uuid)
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
  { isOursIn }: Pick<Turn, 'isOursIn'>,
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
    if (!(await isOursIn(tx))) return
    if (nextAttemptDate > giveUpDate) await deliveries.giveUp(tx, uuid, reason, { attempts })
    else await store.updateWaiting(tx, uuid, { attempts, reason, nextAttemptDate, lastOpDate: now })
  })
}

function reasonOf(verdict: Exclude<Verdict, { kind: 'delivered' }>, leftMs: number): string {
  const { reason, afterSeconds } = { afterSeconds: undefined, ...verdict }
  if (afterSeconds === undefined || !isTooLong(afterSeconds, leftMs)) return reason
  return `${reason}; it requires a pause of ${afterSeconds} s, which is longer than the message is kept`
}
