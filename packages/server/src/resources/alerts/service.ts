import { ThirdpartyAlertInventory } from '@wharf/contract'
import type { Tx } from '@wharf/database/database.ts'
import { deleteInBatches } from '@wharf/database/delete-in-batches.ts'
import { ApiError, invalid } from '@wharf/platform/api-error.ts'
import type { Images } from '../../events/outbox.ts'
import { type RecordDeps, Records } from '../../records/records.ts'
import { type AlertRow, AlertStore, type SilenceRow } from './store.ts'

export { type AlertPlatformService, ingestionUrl, platformType } from './alert-platform-service.ts'
export type { PlatformRow } from './store.ts'
export { TemplateError, type TemplateRenderer } from './template-renderer.ts'

/** Alerts are kept for this long; a longer incident is reported once more. */
const keepAlertsMs = 90 * 86_400_000
/** No longer than alerts are kept: a silence is ended through one of its alerts. */
const maxSilenceMs = keepAlertsMs

/** A platform that does not report the end of alerts leaves many firing records. */
const publishedAtOnce = 100

export interface Silence {
  readonly until: number
  readonly comment: string
}

/** What users do with received alerts. */
export class AlertService extends Records<AlertRow> {
  readonly #store: AlertStore

  constructor(deps: RecordDeps) {
    super(deps, { inventory: ThirdpartyAlertInventory, label: 'alert' })
    this.#store = new AlertStore(deps.database)
  }

  /** Until it is resolved, it sends no further message. */
  async acknowledge(tx: Tx, uuid: string, userName: string, comment: string | undefined) {
    const alert = await this.get(uuid, tx)
    const last = await this.#store.findLast(tx, alert)
    if (last?.status === 'resolved' || (await this.#store.isResolved(tx, alert)))
      throw new ApiError('SYS.1005', `alert ${alert.name} is resolved; only a firing alert can be acknowledged`)
    const acknowledgement = {
      acknowledgedBy: userName,
      acknowledgedDate: this.clock.now(),
      acknowledgeComment: comment ?? null,
      // its message is no longer needed
      isWithheld: 0,
    }
    await this.update(tx, uuid, acknowledgement)
    // the last change of an alert has its acknowledgement
    if (last !== undefined && last.uuid !== uuid) await this.update(tx, last.uuid, acknowledgement)
    return this.#inventory(tx, uuid)
  }

  /** Of all alerts with this identity, those that are received later included. A silence replaces the one before. */
  async silence(tx: Tx, uuid: string, userName: string, { until, comment }: Silence) {
    const now = this.clock.now()
    if (until <= now) throw invalid('silenceAlert.until must be in the future')
    if (until > now + maxSilenceMs)
      throw invalid(
        'silenceAlert.until must be at most 90 days from now; disable the alert platform to receive nothing from it',
      )
    const alert = await this.get(uuid, tx)
    const { platformUuid, fingerprint } = alert
    const before = silenceFields(await this.#store.findSilence(tx, alert))
    const silence = { silencedBy: userName, silencedDate: now, silencedUntil: until, silenceComment: comment }
    await this.#store.saveSilence(tx, { platformUuid, fingerprint, ...silence })
    await this.#publishSilence(tx, alert, { before, after: silence })
    return this.#inventory(tx, uuid)
  }

  async unsilence(tx: Tx, uuid: string) {
    const alert = await this.get(uuid, tx)
    const before = silenceFields(await this.#store.findSilence(tx, alert))
    if (!(await this.#store.endSilence(tx, alert, this.clock.now())))
      throw new ApiError('SYS.1005', `alert ${alert.name} is not silenced`)
    await this.#publishSilence(tx, alert, { before, after: silenceFields(await this.#store.findSilence(tx, alert)) })
    return this.#inventory(tx, uuid)
  }

  /** Each record of the alert shows its silence. */
  async #publishSilence(tx: Tx, alert: AlertRow, { before, after }: Images): Promise<void> {
    const { uuid, name } = alert
    await this.publish(tx, 'Updated', uuid, { before: { name, ...before }, after: { name, ...after } })
    const firing = await this.#store.listFiring(tx, alert, publishedAtOnce)
    // the entry of the one that the caller named is that of all
    for (const other of firing) if (other !== uuid) await this.publish(tx, 'Updated', other, { isRoutine: true })
  }

  async #inventory(tx: Tx, uuid: string) {
    const { isWithheld: _, ...alert } = await this.get(uuid, tx)
    const { labels, annotations } = alert
    return {
      ...alert,
      labels: JSON.parse(labels) as Record<string, string>,
      annotations: JSON.parse(annotations) as Record<string, string>,
      ...silenceFields(await this.#store.findSilence(tx, alert)),
    }
  }

  async removeOld(): Promise<void> {
    const date = this.clock.now() - keepAlertsMs
    await deleteInBatches(this.database, async (tx, limit) => {
      const count = await this.#store.removeBefore(tx, date, limit)
      this.events.collectRemoval(tx, this.resourceType, count)
      return count
    })
    await deleteInBatches(this.database, (tx, limit) => this.#store.removeSilencesBefore(tx, date, limit))
  }
}

const silenceFields = (silence: SilenceRow | undefined) => ({
  silencedBy: silence?.silencedBy ?? null,
  silencedDate: silence?.silencedDate ?? null,
  silencedUntil: silence?.silencedUntil ?? null,
  silenceComment: silence?.silenceComment ?? null,
})
