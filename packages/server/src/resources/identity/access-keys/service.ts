import { randomInt } from 'node:crypto'
import { hasMoreRights, type KeyScheme, lowerRole, type Role } from '@wharf/contract'
import type { Database, Tx } from '@wharf/database/database.ts'
import { checkedScope, readScope } from '@wharf/database/scope-conditions.ts'
import { ApiError, invalid, notFound } from '@wharf/platform/api-error.ts'
import type { Clock } from '@wharf/platform/clock.ts'
import { newSequentialUuid } from '@wharf/platform/ids.ts'
import type { Sealing } from '@wharf/platform/sealing.ts'
import { tooMany, userLimits } from '@wharf/platform/user-limits.ts'
import type { Caller, KeyLimits } from '../../../calls/caller.ts'
import type { Images, Outbox } from '../../../events/outbox.ts'
import type { TagService } from '../../tags/service.ts'
import type { Credentials } from '../credentials.ts'
import { normalizePublicKey } from '../request-signatures/verification-key.ts'
import { openSecrets, sealPrevious, sealSecret } from '../stored-secrets.ts'
import { userLock } from '../user-lock.ts'
import { refuseBeyondScope } from '../user-scope.ts'
import { refuseExcess } from './excess-rights.ts'
import { type GivenLimits, limitColumns, limitsOf, noLimits, readLimits } from './limits.ts'
import { type AccessKeyRow, AccessKeyStore } from './store.ts'

const idLength = 20
const secretLength = 40
const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'
const randomWord = (length: number): string =>
  Array.from({ length }, () => letters.charAt(randomInt(letters.length))).join('')

const hourMs = 3_600_000
const defaultOverlapHours = 24

interface NewKey extends GivenLimits {
  accountUuid: string
  userUuid: string
  scope?: readonly string[] | undefined
  description?: string | undefined
  AccessKeyID?: string | undefined
  AccessKeySecret?: string | undefined
  resourceUuid?: string | undefined
  publicKey?: string | undefined
}

interface Rotation {
  readonly overlapHours?: number | undefined
  readonly publicKey?: string | undefined
}

/** The scope of the user applies to all of its keys; a key with a scope of its own gives it to the keys that it creates. */
const grantedScope = ({ credential }: Caller, given: readonly string[]): string[] => [
  ...new Set([...(credential.kind === 'key' ? credential.scope : []), ...checkedScope(given, 'params.scope')]),
]

/** A key with its secret, for the device that it was created for. */
export interface OpenedKey {
  readonly uuid: string
  readonly AccessKeyID: string
  readonly secret: string
  readonly accountUuid: string
  readonly userUuid: string
  readonly role: Role
  readonly expiresDate: number | null
}

interface AccessKeyDeps {
  readonly database: Database
  readonly events: Outbox
  readonly sealing: Sealing
  readonly clock: Clock
  readonly credentials: Credentials
  readonly tags: Pick<TagService, 'detachAll'>
  readonly settings: { readonly timezone: string }
}

export class AccessKeyService {
  readonly #deps: AccessKeyDeps
  readonly #store = new AccessKeyStore()

  constructor(deps: AccessKeyDeps) {
    this.#deps = deps
  }

  /** The only answer, besides that of `rotate`, that shows the secret. */
  async create(tx: Tx, caller: Caller, key: NewKey) {
    this.#refuseOthers(caller, key.userUuid)
    const { accountUuid, userUuid, description = null } = key
    const user = await this.#store.findUser(tx, userUuid, accountUuid)
    if (user === undefined) throw new ApiError('SYS.1003', `there is no user ${userUuid} in account ${accountUuid}`)
    if (userUuid !== caller.userUuid) refuseBeyondScope(caller, `user ${user.name}`, user.scope)
    const publicKey = readPublicKey(key)
    refuseRoleAbove(user.role, key.role)
    const now = this.#deps.clock.now()
    const { timezone } = this.#deps.settings
    const inherited = inheritedLimits(caller, userUuid)
    const limits = readLimits(key, { inherited, hasPublicKey: publicKey !== null, now, timezone })
    refuseExcess(caller, limits, 'create')
    await this.#refuseTooMany(tx, caller, userUuid)
    const AccessKeyID = key.AccessKeyID ?? randomWord(idLength)
    const secret = this.#newSecret(AccessKeyID, publicKey, key.AccessKeySecret)
    const row = {
      uuid: key.resourceUuid ?? newSequentialUuid(),
      AccessKeyID,
      ...secret.columns,
      accountUuid,
      userUuid,
      state: 'Enabled' as const,
      scope: JSON.stringify(grantedScope(caller, key.scope ?? [])),
      description,
      ...limitColumns(limits),
      lastUsedDate: null,
      overlapEndDate: null,
      sealedPreviousSecret: null,
      previousPublicKey: null,
      expiryReportDate: null,
      createDate: now,
      lastOpDate: now,
    }
    if (!(await this.#store.insert(tx, row)))
      throw new ApiError('SYS.1002', 'an access key with this AccessKeyID or resourceUuid already exists')
    await this.#publish(tx, 'Created', row, { before: null, after: { ...row } })
    return { ...inventoryOf(row), AccessKeySecret: secret.shown }
  }

  /** The secret before the last rotation, if it is still accepted, ends now: a key has two at most. */
  async rotate(tx: Tx, caller: Caller, uuid: string, { overlapHours = defaultOverlapHours, ...given }: Rotation) {
    const row = await this.#lockOwn(tx, caller, uuid)
    refuseExcess(caller, limitsOf(row), 'rotate')
    if ((row.publicKey === null) !== (given.publicKey === undefined))
      throw invalid(
        row.publicKey === null
          ? 'rotateAccessKey.publicKey: this key has a secret; create another key for a public key'
          : 'rotateAccessKey.publicKey is required: this key has no secret that the server could replace',
      )
    const publicKey =
      given.publicKey === undefined ? null : normalizePublicKey('rotateAccessKey.publicKey', given.publicKey)
    const now = this.#deps.clock.now()
    const secret = this.#newSecret(row.AccessKeyID, publicKey)
    const change = {
      ...secret.columns,
      ...sealPrevious(this.#deps.sealing, row.AccessKeyID, row),
      previousPublicKey: row.publicKey,
      overlapEndDate: now + overlapHours * hourMs,
      lastOpDate: now,
    }
    await this.#store.update(tx, uuid, change)
    await this.#publish(tx, 'Updated', row, { before: { ...row }, after: { ...row, ...change } })
    return { ...inventoryOf({ ...row, ...change }), AccessKeySecret: secret.shown }
  }

  async changeState(tx: Tx, caller: Caller, uuid: string, stateEvent: 'enable' | 'disable') {
    const row = await this.#lockOwn(tx, caller, uuid)
    if (stateEvent === 'enable') refuseExcess(caller, limitsOf(row), 'enable')
    const state = stateEvent === 'enable' ? ('Enabled' as const) : ('Disabled' as const)
    return { ...inventoryOf(await this.#change(tx, row, { state })), AccessKeySecret: null }
  }

  async delete(tx: Tx, caller: Caller, uuid: string): Promise<void> {
    await this.#delete(tx, await this.#lockOwn(tx, caller, uuid))
  }

  /** Undefined when the key was deleted, or its user. */
  async open(tx: Tx, uuid: string): Promise<OpenedKey | undefined> {
    const row = await this.#store.find(tx, uuid)
    const user = row && (await this.#store.findUser(tx, row.userUuid, row.accountUuid))
    if (row === undefined || user === undefined) return undefined
    const [{ text: secret }] = openSecrets(this.#deps.sealing, row.AccessKeyID, row)
    return { ...row, secret, role: lowerRole(user.role, row.maxRole) }
  }

  /** By Wharf itself. */
  async revoke(tx: Tx, uuid: string): Promise<void> {
    const row = await this.#store.find(tx, uuid)
    if (row === undefined) return
    await this.#deps.database.lock(tx, userLock(row.userUuid))
    await this.#delete(tx, row)
  }

  async #delete(tx: Tx, row: AccessKeyRow): Promise<void> {
    await this.#store.delete(tx, row.uuid)
    await this.#deps.tags.detachAll(tx, row.uuid)
    await this.#publish(tx, 'Deleted', row, { before: { ...row }, after: null })
  }

  /** Of a user who has lost access. The caller has locked the user. */
  async disableAllOf(tx: Tx, userUuid: string): Promise<void> {
    for (const row of await this.#store.listOf(tx, userUuid))
      if (row.state === 'Enabled') await this.#change(tx, row, { state: 'Disabled' })
  }

  /** Of a user whom an identity provider moved to another account. The caller has locked the user. */
  async moveAllOf(tx: Tx, userUuid: string, accountUuid: string): Promise<void> {
    for (const row of await this.#store.listOf(tx, userUuid)) await this.#change(tx, row, { accountUuid })
  }

  async #change(tx: Tx, row: AccessKeyRow, given: Partial<AccessKeyRow>): Promise<AccessKeyRow> {
    const change = { ...given, lastOpDate: this.#deps.clock.now() }
    await this.#store.update(tx, row.uuid, change)
    await this.#publish(tx, 'Updated', row, { before: { ...row }, after: { ...row, ...change } })
    return { ...row, ...change }
  }

  async #lockOwn(tx: Tx, caller: Caller, uuid: string): Promise<AccessKeyRow> {
    const row = await this.#store.find(tx, uuid)
    if (row === undefined) throw notFound('access key', uuid)
    this.#refuseOthers(caller, row.userUuid)
    await this.#deps.database.lock(tx, userLock(row.userUuid))
    if (caller.credential.kind === 'key' && caller.credential.uuid === uuid) return row
    const user = await this.#store.findUser(tx, row.userUuid, row.accountUuid)
    if (user === undefined) return row
    refuseMoreRights(caller, lowerRole(user.role, row.maxRole))
    refuseBeyondScope(caller, `access key ${row.AccessKeyID}`, user.scope, row.scope)
    return row
  }

  /** A key with a public key has no secret; the sealed bytes, which nobody knows, only identify it. */
  #newSecret(AccessKeyID: string, publicKey: string | null, given?: string) {
    const secret = given ?? randomWord(secretLength)
    const sealedSecret = sealSecret(this.#deps.sealing, AccessKeyID, secret)
    return { columns: { sealedSecret, publicKey }, shown: publicKey === null ? secret : null }
  }

  /** Periodically: the uses that this node has seen since the last time. */
  async writeUses(): Promise<void> {
    const uses = this.#deps.credentials.takeKeyUses()
    if (uses.size === 0) return
    await this.#deps.database.transaction(async (tx) => {
      for (const [uuid, date] of uses) await this.#store.recordUse(tx, uuid, date)
    })
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

  #publish(tx: Tx, type: string, { uuid, userUuid }: Pick<AccessKeyRow, 'uuid' | 'userUuid'>, images: Images) {
    return this.#deps.events.record(tx, { type, resourceType: 'AccessKey', uuid, audience: userUuid, ...images })
  }
}

/** What the API shows of a key, but for its secret. */
const inventoryOf = (row: AccessKeyRow) => ({
  ...row,
  role: row.maxRole,
  scope: readScope(row.scope),
  operations: JSON.parse(row.operations) as string[],
  allowedCidrs: JSON.parse(row.allowedCidrs) as string[],
  schemes: JSON.parse(row.schemes) as KeyScheme[],
})

function readPublicKey({ publicKey, AccessKeySecret }: NewKey): string | null {
  if (publicKey === undefined) return null
  if (AccessKeySecret !== undefined)
    throw invalid('params.publicKey and params.AccessKeySecret exclude each other: a key has one of both')
  return normalizePublicKey('params.publicKey', publicKey)
}

/** A key gives its limits to the keys that it creates; those of another user have the role of that user. */
function inheritedLimits({ credential, userUuid }: Caller, ownerUuid: string): KeyLimits {
  const { limits } = credential.kind === 'key' ? credential : { limits: noLimits }
  return userUuid === ownerUuid ? limits : { ...limits, role: null }
}

function refuseRoleAbove(userRole: Role, given: Role | undefined): void {
  if (given !== undefined && hasMoreRights(given, userRole))
    throw invalid(`params.role ${given} has more rights than the role ${userRole} of the user; use ${userRole}`)
}

function refuseMoreRights(caller: Caller, role: Role): void {
  if (hasMoreRights(role, caller.role))
    throw new ApiError(
      'ID.1002',
      `a caller with the role ${caller.role} may not manage a key with the role ${role}; use a session, or a key with that role`,
    )
}
