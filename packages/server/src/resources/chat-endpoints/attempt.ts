import type { Database, Tx } from '@wharf/database/database.ts'
import type { Cidr } from '@wharf/platform/cidr.ts'
import type { Clock } from '@wharf/platform/clock.ts'
import { asBegun, writtenAudience } from './audience.ts'
import type { DeliveryService } from './deliveries.ts'
import type { DeliveryLimits } from './delivery-limits.ts'
import type { DeliveryRow, DeliveryStore } from './delivery-store.ts'
import { textInTime } from './late-message.ts'
import type { Verdict } from './platforms/chat-platform.ts'
import { chatPlatforms } from './platforms/platforms.ts'
import { isTooLong, retryPauseMs } from './retry-pause.ts'
import { send } from './sender.ts'
import type { ChatEndpointService } from './service.ts'
import type { EndpointRow } from './store.ts'

export interface AttemptParts {
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
  /** Before every request: false when another process serves the endpoint by now. */
  readonly stillOurs: () => Promise<boolean>
  /** The same, until this transaction ends. */
  readonly isOursIn: (tx: Tx) => Promise<boolean>
  readonly signal: AbortSignal
}

const maxReasonLength = 1024

/** One attempt at one message, with what is written about it. A part that has arrived is not sent again. */
export async function attemptDelivery(
  parts: AttemptParts,
  endpoint: EndpointRow,
  delivery: DeliveryRow,
  turn: Turn,
): Promise<void> {
  const { stillOurs, signal } = turn
  const { database, clock, store, endpoints, limits, settings } = parts
  const platform = chatPlatforms[endpoint.type]
  const to = asBegun(await endpoints.recipient(endpoint), delivery.audience)
  const formatTime = (ms: number): string => `${parts.formatTimestamp(ms)} ${settings.timezone}`
  const text = textInTime(delivery, { now: to.now, language: to.language, formatTime })
  const requests = platform.render({ ...delivery, text }, to)
  // with the text: the parts that follow must be split as those before
  const begun = { text, audience: writtenAudience(to) }
  for (let part = delivery.partsDelivered; part < requests.length; part++) {
    const request = requests[part]
    if (request === undefined || !(await stillOurs())) return
    const verdict = await send(platform, request, {
      signal,
      allow: settings.downloadAllow,
      caFile: settings.caFile,
      requestMs: limits.requestMs,
      // the sequence tells a message that somebody sends again from one that is tried again
      idempotencyKey: `${delivery.uuid}-${delivery.sequence}-${part + 1}`,
      clock,
    })
    if (verdict.kind !== 'delivered') return settleFailure(parts, delivery, verdict, turn)
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
    if (arrived) await parts.deliveries.tell(tx, 'Updated', delivery.uuid)
  })
}

/**
 * Another attempt later, or none if that would be too late. A process that slept through its turn has no say in it: the
 * one that serves the endpoint now may be just about to succeed. That a message has arrived is true whoever says it.
 */
export async function settleFailure(
  { database, clock, store, deliveries, limits }: AttemptParts,
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
  return `${reason}; it asks for a pause of ${afterSeconds} s, which is more time than the message has`
}
