import { randomInt } from 'node:crypto'
import type { Database, Tx } from '@wharf/database/database.ts'
import { ApiError, notFound } from '@wharf/platform/api-error.ts'
import type { Clock } from '@wharf/platform/clock.ts'
import { newUuid } from '@wharf/platform/ids.ts'
import type { Sealing } from '@wharf/platform/sealing.ts'
import { tooMany, userLimits } from '@wharf/platform/user-limits.ts'
import type { Caller } from '../../../calls/caller.ts'
import type { Events } from '../../../events/events.ts'
import type { TagService } from '../../tags/service.ts'
import { secretPlace } from '../credentials.ts'
import { userLock } from '../user-lock.ts'
import { type AccessKeyRow, AccessKeyStore } from './store.ts'

const idLength = 20
const secretLength = 40
const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'
const randomWord = (length: number): string =>
  Array.from({ length }, () => letters.charAt(randomInt(letters.length))).join('')

interface NewKey {
  accountUuid: string
  userUuid: string
  description?: string | undefined
  AccessKeyID?: string | undefined
  AccessKeySecret?: string | undefined
  resourceUuid?: string | undefined
}

interface AccessKeyDeps {
  readonly database: Database
  readonly events: Events
  readonly sealing: Sealing
  readonly clock: Clock
  readonly tags: Pick<TagService, 'detachAll'>
}

export class AccessKeyService {
  readonly #deps: AccessKeyDeps
  readonly #store = new AccessKeyStore()

  constructor(deps: AccessKeyDeps) {
    this.#deps = deps
  }

  /** The only answer that shows the secret. */
  async create(tx: Tx, caller: Caller, key: NewKey) {
    this.#refuseOthers(caller, key.userUuid)
    const { accountUuid, userUuid, description = null } = key
    if (!(await this.#store.userIsIn(tx, userUuid, accountUuid)))
      throw new ApiError('SYS.1003', `there is no user ${userUuid} in account ${accountUuid}`)
    await this.#refuseTooMany(tx, caller, userUuid)
    const AccessKeyID = key.AccessKeyID ?? randomWord(idLength)
    const AccessKeySecret = key.AccessKeySecret ?? randomWord(secretLength)
    const now = this.#deps.clock.now()
    const row = {
      uuid: key.resourceUuid ?? newUuid(),
      AccessKeyID,
      sealedSecret: this.#deps.sealing.seal(AccessKeySecret, secretPlace(AccessKeyID)),
      accountUuid,
      userUuid,
      state: 'Enabled' as const,
      description,
      createDate: now,
      lastOpDate: now,
    }
    if (!(await this.#store.insert(tx, row)))
      throw new ApiError('SYS.1002', 'an access key with this AccessKeyID or resourceUuid exists already')
    await this.#publish(tx, 'Created', row)
    return { ...row, AccessKeySecret }
  }

  async changeState(tx: Tx, caller: Caller, uuid: string, stateEvent: 'enable' | 'disable') {
    const row = await this.#lockOwn(tx, caller, uuid)
    const state = stateEvent === 'enable' ? ('Enabled' as const) : ('Disabled' as const)
    const lastOpDate = this.#deps.clock.now()
    await this.#store.setState(tx, uuid, state, lastOpDate)
    await this.#publish(tx, 'Updated', row)
    return { ...row, state, lastOpDate, AccessKeySecret: null }
  }

  async delete(tx: Tx, caller: Caller, uuid: string): Promise<void> {
    const row = await this.#lockOwn(tx, caller, uuid)
    await this.#store.delete(tx, uuid)
    await this.#deps.tags.detachAll(tx, uuid)
    await this.#publish(tx, 'Deleted', row)
  }

  async #lockOwn(tx: Tx, caller: Caller, uuid: string): Promise<AccessKeyRow> {
    const row = await this.#store.find(tx, uuid)
    if (row === undefined) throw notFound('access key', uuid)
    this.#refuseOthers(caller, row.userUuid)
    await this.#deps.database.lock(tx, userLock(row.userUuid))
    return row
  }

  async #refuseTooMany(tx: Tx, caller: Caller, userUuid: string): Promise<void> {
    const isOwnOfAdmin = caller.role === 'admin' && caller.userUuid === userUuid
    const limit = isOwnOfAdmin ? userLimits.adminAccessKeys : userLimits.accessKeys
    // two concurrent calls must not both pass the limit
    await this.#deps.database.lock(tx, `accessKeys of ${userUuid}`)
    if ((await this.#store.countOf(tx, userUuid, limit)) >= limit)
      throw tooMany('ID.1006', `user ${userUuid} has ${limit} access keys`, 'delete one that is no longer used')
  }

  #refuseOthers(caller: Caller, userUuid: string): void {
    if (caller.role !== 'admin' && caller.userUuid !== userUuid)
      throw new ApiError('ID.1002', 'only an admin may manage the access keys of another user')
  }

  #publish(tx: Tx, type: string, { uuid, userUuid }: { uuid: string; userUuid: string }): Promise<void> {
    return this.#deps.events.record(tx, { type, resourceType: 'AccessKey', uuid, audience: userUuid })
  }
}
