import type { Database, Tx } from '@wharf/database/database.ts'
import { notFound } from '@wharf/platform/api-error.ts'
import type { Clock } from '@wharf/platform/clock.ts'
import type { Outbox } from '../../../events/outbox.ts'
import type { AccountStore, UserRow } from '../accounts/store.ts'
import { userLock } from '../user-lock.ts'
import { newRecoveryCodes, recoveryCodeHash } from './recovery-codes.ts'
import type { SecondFactorStore } from './store.ts'

interface FactorChangeDeps {
  readonly database: Database
  readonly events: Outbox
  readonly clock: Clock
  readonly store: SecondFactorStore
  readonly accounts: AccountStore
}

/** What every change of factors does to the user: the lock, the flag of the record with its event, and the recovery codes. */
export class FactorChanges {
  readonly #deps: FactorChangeDeps

  constructor(deps: FactorChangeDeps) {
    this.#deps = deps
  }

  /** The caller's lock `adminLock` precedes this one. */
  async lockedUser(tx: Tx, userUuid: string): Promise<UserRow> {
    await this.#deps.database.lock(tx, userLock(userUuid))
    return this.#find(tx, userUuid)
  }

  async #find(tx: Tx, userUuid: string): Promise<UserRow> {
    const user = await this.#deps.accounts.findUser(tx, userUuid)
    if (user === undefined) throw notFound('user', userUuid)
    return user
  }

  /** The first code of an authenticator app puts it into effect. */
  async confirmAuthenticator(tx: Tx, userUuid: string): Promise<void> {
    await this.#deps.store.confirmAuthenticator(tx, userUuid, this.#deps.clock.now())
    await this.recordFactors(tx, userUuid)
  }

  /** After a change of factors. Without one, recovery codes have no use. */
  async recordFactors(tx: Tx, userUuid: string): Promise<UserRow> {
    const user = await this.#find(tx, userUuid)
    const hasFactor = await this.#deps.store.hasFactor(tx, userUuid)
    if (!hasFactor) await this.#deps.store.replaceRecoveryCodes(tx, userUuid, [])
    return this.#record(tx, user, { hasSecondFactor: hasFactor ? 1 : 0 })
  }

  async #record(tx: Tx, before: UserRow, change: { hasSecondFactor?: number }): Promise<UserRow> {
    const changed = { ...change, lastOpDate: this.#deps.clock.now() }
    await this.#deps.accounts.updateUser(tx, before.uuid, changed)
    const after = { ...before, ...changed }
    const images = { before: { ...before }, after: { ...after } }
    await this.#deps.events.record(tx, { type: 'Updated', resourceType: 'User', uuid: before.uuid, ...images })
    return after
  }

  /** For a user with a first factor; null for one who has recovery codes. */
  async firstRecoveryCodes(tx: Tx, userUuid: string): Promise<string[] | null> {
    return (await this.#deps.store.hasRecoveryCodes(tx, userUuid)) ? null : this.#newRecoveryCodes(tx, userUuid)
  }

  async replaceRecoveryCodes(tx: Tx, user: UserRow): Promise<string[]> {
    await this.#record(tx, user, {})
    return this.#newRecoveryCodes(tx, user.uuid)
  }

  async #newRecoveryCodes(tx: Tx, userUuid: string): Promise<string[]> {
    const codes = newRecoveryCodes()
    await this.#deps.store.replaceRecoveryCodes(tx, userUuid, codes.map(recoveryCodeHash))
    return codes
  }
}
