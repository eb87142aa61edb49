import type { Database, Tx } from '@wharf/database/database.ts'
import { ApiError } from '@wharf/platform/api-error.ts'
import type { Clock } from '@wharf/platform/clock.ts'
import { constantTimeEqual } from '@wharf/platform/constant-time.ts'
import { newSequentialUuid } from '@wharf/platform/ids.ts'
import type { Outbox } from '../../events/outbox.ts'
import type { DeliveryService, Message } from '../chat-endpoints/service.ts'
import { alertName, severityLabel, severityOf, titleOf } from './alert-labels.ts'
import type { AlertPlatformService } from './alert-platform-service.ts'
import type { AlertRenderer } from './alert-renderer.ts'
import { type AlertRow, AlertStore, type PlatformRow } from './store.ts'
import { type IncomingAlert, readWebhook } from './webhook.ts'

/** Failed sign-ins, counted like those with keys. */
interface FailedAttempts {
  blockedError(source: string, name: string): ApiError | undefined
  isNameBlocked(source: string, name: string): boolean
  failed(source: string, name: string): void
}

interface AlertIngestionDeps {
  database: Database
  events: Outbox
  clock: Clock
  attempts: FailedAttempts
  platforms: AlertPlatformService
  renderer: AlertRenderer
  deliveries: DeliveryService
}

/** Stores the alerts of a platform once and queues a message for every subscribed chat. */
export class AlertIngestion {
  readonly #deps: AlertIngestionDeps
  readonly #store: AlertStore

  constructor(deps: AlertIngestionDeps) {
    this.#deps = deps
    this.#store = new AlertStore(deps.database)
  }

  async authenticate(uuid: string, authorization: string | undefined, source: string): Promise<void> {
    const { attempts, platforms } = this.#deps
    const name = `alerts ${uuid}`
    const blocked = attempts.blockedError(source, name)
    if (blocked && attempts.isNameBlocked(source, name)) throw blocked
    const platform = await platforms.get(uuid)
    const [, token] = /^bearer +(\S+)$/i.exec(authorization ?? '') ?? []
    // others behind the same proxy may have blocked the address
    if (token !== undefined && constantTimeEqual(token, platforms.tokenOf(platform))) return
    if (blocked) throw blocked
    if (token === undefined)
      throw new ApiError('ID.1001', 'the Authorization header must read Bearer and the token of the platform')
    attempts.failed(source, name)
    throw new ApiError('ID.1000', 'the token is not, or no longer, the token of this platform')
  }

  async accept(uuid: string, body: unknown): Promise<void> {
    const { database, platforms, renderer } = this.#deps
    const sent = readWebhook(body)
    const platform = await platforms.get(uuid)
    const changes = platform.state === 'Enabled' ? await this.#changesOf(platform, sent) : []
    // before the transaction, which must not wait for slow work
    const renderedTexts = await renderer.textsOf(platform, changes)
    await database.transaction(async (tx) => {
      await platforms.recordReceipt(tx, uuid)
      if (changes.length === 0) return
      await this.#deps.deliveries.lock(tx)
      const fingerprints = [...new Set(changes.map(({ fingerprint }) => fingerprint))]
      const silenced = new Set(await this.#store.listSilenced(tx, uuid, fingerprints, this.#deps.clock.now()))
      const messages: Message[] = []
      for (const [index, alert] of changes.entries()) {
        const alertUuid = await this.#storeChange(tx, platform, alert, silenced.has(alert.fingerprint))
        if (alertUuid === undefined) continue
        const text = renderedTexts[index] ?? ''
        messages.push({ alertUuid, title: titleOf(alert), text, severity: severityOf(alert) })
      }
      await this.#deps.deliveries.enqueue(tx, uuid, messages)
    })
  }

  /** Returns the uuid of the alert when a message about it is due. */
  async #storeChange(
    tx: Tx,
    platform: PlatformRow,
    alert: IncomingAlert,
    isSilenced: boolean,
  ): Promise<string | undefined> {
    const isFiring = alert.status === 'firing'
    const identity = { platformUuid: platform.uuid, fingerprint: alert.fingerprint }
    const acknowledgement = await this.#store.findAcknowledgement(tx, identity)
    const isAcknowledged = acknowledgement !== undefined
    const isWithheld = isSilenced && isFiring && !isAcknowledged ? 1 : 0
    const row = { ...this.#rowOf(platform, alert), ...acknowledgement, isWithheld }
    if (await this.#store.insert(tx, row)) {
      const created = { type: 'Created', resourceType: 'ThirdPartyAlert', uuid: row.uuid, isRoutine: true } as const
      await this.#deps.events.record(tx, created)
      // the end of an alert whose start was not reported is not reported either
      const isStartWithheld =
        !isFiring && (await this.#store.releaseWithheld(tx, { ...row, status: 'firing' })) !== undefined
      return isSilenced || isStartWithheld || (isFiring && isAcknowledged) ? undefined : row.uuid
    }
    // stored by another node meanwhile, or during a silence
    return isSilenced ? undefined : this.#store.releaseWithheld(tx, { ...identity, ...alert })
  }

  /**
   * Alertmanager repeats alerts: a known one is neither rendered nor stored again, unless a silence has withheld its
   * message.
   */
  async #changesOf(platform: PlatformRow, sent: readonly IncomingAlert[]): Promise<IncomingAlert[]> {
    if (sent.length === 0) return []
    const fingerprints = [...new Set(sent.map(({ fingerprint }) => fingerprint))]
    const found = await this.#store.listChanges(platform.uuid, fingerprints)
    const known = new Set(found.filter(({ isWithheld }) => isWithheld !== 1).map(changeOf))
    return sent.filter((alert) => {
      const change = changeOf(alert)
      const isNew = !known.has(change)
      known.add(change)
      return isNew
    })
  }

  #rowOf(platform: PlatformRow, alert: IncomingAlert): AlertRow {
    const now = this.#deps.clock.now()
    return {
      uuid: newSequentialUuid(),
      platformUuid: platform.uuid,
      name: alertName(alert),
      status: alert.status,
      severity: severityLabel(alert),
      fingerprint: alert.fingerprint,
      labels: JSON.stringify(alert.labels),
      annotations: JSON.stringify(alert.annotations),
      startsAt: alert.startsAt,
      endsAt: alert.endsAt,
      acknowledgedBy: null,
      acknowledgedDate: null,
      acknowledgeComment: null,
      isWithheld: 0,
      createDate: now,
      lastOpDate: now,
    }
  }
}

const changeOf = ({ fingerprint, startsAt, status }: Pick<AlertRow, 'fingerprint' | 'startsAt' | 'status'>) =>
  `${fingerprint} ${startsAt} ${status}`
