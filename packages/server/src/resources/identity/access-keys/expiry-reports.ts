import type { Database } from '@wharf/database/database.ts'
import type { Clock } from '@wharf/platform/clock.ts'
import type { SystemEventRecorder } from '../../../events/system-event.ts'
import { AccessKeyStore } from './store.ts'

const dayMs = 86_400_000
/** How long before the expiry of a key Wharf reports it; a key that never has so long is not reported. */
const noticeMs = 14 * dayMs

interface ExpiryReportDeps {
  readonly database: Database
  readonly clock: Clock
  readonly systemEvents: SystemEventRecorder
  readonly formatTimestamp: (ms: number) => string
}

/** Reports the keys that expire soon to the chat endpoints that subscribe to it, once each. */
export class ExpiryReports {
  readonly #deps: ExpiryReportDeps
  readonly #store = new AccessKeyStore()

  constructor(deps: ExpiryReportDeps) {
    this.#deps = deps
  }

  /** Periodically, on every node. */
  async send(): Promise<void> {
    const { database, clock } = this.#deps
    const period = { now: clock.now(), noticeMs }
    for (const { uuid } of await this.#store.listExpiring(database.read, period)) await this.#report(uuid)
  }

  async #report(uuid: string): Promise<void> {
    const { database, clock, systemEvents, formatTimestamp } = this.#deps
    await database.transaction(async (tx) => {
      // of several nodes one finds it unreported
      const key = await this.#store.claimExpiryReport(tx, uuid, clock.now())
      if (key === undefined) return
      const { AccessKeyID, description, expiresDate } = key
      const at = formatTimestamp(expiresDate ?? 0)
      await systemEvents.record(tx, {
        event: 'AccessKeyExpires',
        resource: { type: 'AccessKey', uuid, name: description ?? AccessKeyID },
        target: AccessKeyID,
        userName: await this.#store.ownerOf(tx, key.userUuid),
        reason: {
          en: `It expires on ${at}; create another key and replace it before`,
          zh: `将于 ${at} 过期；请在此之前创建新密钥并替换`,
        },
      })
    })
  }
}
