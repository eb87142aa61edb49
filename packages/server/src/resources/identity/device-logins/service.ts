import { randomBytes } from 'node:crypto'
import { hasMoreRights, type Role } from '@wharf/contract'
import type { Database, Tx } from '@wharf/database/database.ts'
import { deleteInBatches } from '@wharf/database/delete-in-batches.ts'
import { ApiError, invalid } from '@wharf/platform/api-error.ts'
import type { Clock } from '@wharf/platform/clock.ts'
import { sha256 } from '@wharf/platform/constant-time.ts'
import { newUuid } from '@wharf/platform/ids.ts'
import type { Caller } from '../../../calls/caller.ts'
import { internalAudience, type Outbox } from '../../../events/outbox.ts'
import type { AccessKeyService, OpenedKey } from '../access-keys/service.ts'
import { attemptName, type LoginThrottle, sourceNetwork } from '../login-throttle.ts'
import { GrantError } from './grant-error.ts'
import { type DeviceLoginRow, DeviceLoginStore } from './store.ts'
import { newUserCode, readUserCode } from './user-code.ts'

const dayMs = 86_400_000
const keyDays = 90
const validMs = 15 * 60_000
const intervalSeconds = 5
/** RFC 8628, section 3.5: each request that comes too early extends the interval by this. */
const slowDownSeconds = 5
/** A request may arrive sooner after the one before than it was sent. */
const toleranceMs = 1000
/** Anyone may start a sign-in; these bound the rows. */
const maxPerNetwork = 20
const maxInAll = 2000
/** Of thousands of millions, a code that is taken is rare. */
const maxCodes = 5

/** What a device sends about itself. */
interface Device {
  readonly clientName: string | null
  readonly client: string | null
  readonly address: string
  readonly requestedRole: Role | null
}

interface DeviceLoginDeps {
  readonly database: Database
  readonly events: Outbox
  readonly clock: Clock
  readonly attempts: LoginThrottle
  readonly keys: AccessKeyService
}

/** The device grant (RFC 8628): a device shows a code, a user confirms it, and the device gets an access key of the user. */
export class DeviceLoginService {
  readonly #deps: DeviceLoginDeps
  readonly #store = new DeviceLoginStore()

  constructor(deps: DeviceLoginDeps) {
    this.#deps = deps
  }

  /** The only answer with the device code. */
  async request(device: Device) {
    const deviceCode = randomBytes(32).toString('base64url')
    const now = this.#deps.clock.now()
    const network = sourceNetwork(device.address)
    const row = {
      ...{ uuid: newUuid(), deviceCodeHash: sha256(deviceCode), ...device, network, state: 'Pending' as const },
      ...{ accessKeyUuid: null, pollDate: null, intervalSeconds, createDate: now, expiresDate: now + validMs },
    }
    const userCode = await this.#deps.database.transaction(async (tx) => {
      await this.#refuseTooMany(tx, network, now)
      for (let attempt = 0; attempt < maxCodes; attempt++) {
        const created = { ...row, userCode: newUserCode() }
        if (!(await this.#store.insert(tx, created))) continue
        await this.#publish(tx, undefined, created)
        return created.userCode
      }
      throw new GrantError('temporarily_unavailable', 'no code is free; try again')
    })
    return { deviceCode, userCode, expiresInSeconds: validMs / 1000, intervalSeconds }
  }

  async #refuseTooMany(tx: Tx, network: string, now: number): Promise<void> {
    const ofNetwork = await this.#store.countWaiting(tx, { now, limit: maxPerNetwork, network })
    const inAll = await this.#store.countWaiting(tx, { now, limit: maxInAll })
    if (ofNetwork >= maxPerNetwork || inAll >= maxInAll)
      throw new GrantError(
        'temporarily_unavailable',
        'too many sign-ins wait for confirmation; try again in 15 minutes',
      )
  }

  /** For the device: its access key, once. */
  async redeem(deviceCode: string): Promise<OpenedKey> {
    const hash = sha256(deviceCode)
    const result = await this.#deps.database.transaction(async (tx) => {
      await this.#deps.database.lock(tx, lockOf(hash))
      const row = await this.#store.findByDevice(tx, hash)
      if (row === undefined) return { refusal: unknownDevice() }
      if (row.state === 'Redeemed') return { refusal: redeemedTwice(), lostKey: row.accessKeyUuid }
      if (row.state === 'Denied') return { refusal: new GrantError('access_denied', 'the user denied the sign-in') }
      if (row.expiresDate <= this.#deps.clock.now()) return { refusal: expired() }
      if (row.state === 'Pending') return { refusal: await this.#poll(tx, row) }
      const key = await this.#deps.keys.open(tx, row.accessKeyUuid ?? '')
      // deleted since, with its user or alone
      if (key === undefined) return { refusal: new GrantError('access_denied', 'the access key was deleted') }
      await this.#change(tx, row, { state: 'Redeemed' })
      return { key }
    })
    // RFC 6749, section 4.1.2: a code that is used twice was lost or stolen, and what it granted is revoked
    if (result.lostKey) await this.#revoke(result.lostKey)
    if (result.key === undefined) throw result.refusal
    return result.key
  }

  async #poll(tx: Tx, { uuid, pollDate, intervalSeconds: seconds }: DeviceLoginRow): Promise<GrantError> {
    const now = this.#deps.clock.now()
    const isTooEarly = pollDate !== null && now - pollDate < seconds * 1000 - toleranceMs
    const interval = isTooEarly ? seconds + slowDownSeconds : seconds
    await this.#store.update(tx, uuid, { pollDate: now, intervalSeconds: Math.min(interval, 3600) })
    return isTooEarly
      ? new GrantError('slow_down', `wait ${interval} seconds between two requests`)
      : new GrantError('authorization_pending', 'the user has not confirmed the sign-in yet')
  }

  async #revoke(keyUuid: string): Promise<void> {
    await this.#deps.database.transaction((tx) => this.#deps.keys.revoke(tx, keyUuid))
  }

  /** What the user is about to confirm. */
  async find(caller: Caller, typed: string, source: string): Promise<DeviceLoginRow> {
    return this.#guessed(caller, source, () =>
      this.#store.findPending(this.#deps.database.read, readUserCode(typed), this.#deps.clock.now()),
    )
  }

  async confirm(tx: Tx, caller: Caller, { userCode, role = caller.role }: Confirmation, source: string) {
    if (hasMoreRights(role, caller.role))
      throw invalid(
        `confirmDeviceLogin.role ${role} has more rights than your role ${caller.role}; choose ${caller.role} or a lower one`,
      )
    const row = await this.#lockPending(tx, caller, userCode, source)
    const { accountUuid, userUuid, credential } = caller
    const expiresDate = this.#deps.clock.now() + keyDays * dayMs
    const limit = credential.kind === 'key' ? credential.limits.expiresDate : null
    const key = await this.#deps.keys.create(tx, caller, {
      accountUuid,
      userUuid,
      role,
      description: `wharf login on ${row.clientName ?? row.address}`,
      expiresDate: new Date(Math.min(expiresDate, limit ?? expiresDate)).toISOString(),
      schemes: ['rfc9421'],
    })
    return this.#change(tx, row, { state: 'Confirmed', accessKeyUuid: key.uuid })
  }

  async deny(tx: Tx, caller: Caller, { userCode }: Confirmation, source: string) {
    return this.#change(tx, await this.#lockPending(tx, caller, userCode, source), { state: 'Denied' })
  }

  async #lockPending(tx: Tx, caller: Caller, typed: string, source: string): Promise<DeviceLoginRow> {
    return this.#guessed(caller, source, async () => {
      const now = this.#deps.clock.now()
      const found = await this.#store.findPending(tx, readUserCode(typed), now)
      if (found === undefined) return undefined
      await this.#deps.database.lock(tx, lockOf(found.deviceCodeHash))
      return this.#store.findPending(tx, found.userCode, now)
    })
  }

  /** Wrong codes count as failed sign-ins of this user from this address. */
  async #guessed(
    { userUuid }: Caller,
    source: string,
    find: () => Promise<DeviceLoginRow | undefined>,
  ): Promise<DeviceLoginRow> {
    const { attempts } = this.#deps
    const name = attemptName.deviceCode(userUuid)
    attempts.refuseBlocked(source, name)
    const row = await find()
    if (row !== undefined) return row
    attempts.failed(source, name)
    throw new ApiError(
      'SYS.1003',
      'no device waits for this code; compare it with the one on the device, or start wharf login again',
    )
  }

  async #change(tx: Tx, row: DeviceLoginRow, change: Partial<DeviceLoginRow>): Promise<DeviceLoginRow> {
    const changed = { ...row, ...change }
    await this.#store.update(tx, row.uuid, change)
    await this.#publish(tx, row, changed)
    return changed
  }

  #publish(tx: Tx, before: DeviceLoginRow | undefined, after: DeviceLoginRow): Promise<void> {
    return this.#deps.events.record(tx, {
      type: before === undefined ? 'Created' : 'Updated',
      resourceType: 'DeviceLogin',
      uuid: after.uuid,
      audience: internalAudience,
      before: before === undefined ? null : { ...before },
      after: { ...after },
    })
  }

  /** A key that its device never fetched is deleted too: nobody knows its secret. */
  async removeOld(): Promise<void> {
    await deleteInBatches(this.#deps.database, async (tx, limit) => {
      const rows = await this.#store.listExpired(tx, this.#deps.clock.now(), limit)
      if (rows.length === 0) return 0
      for (const { state, accessKeyUuid } of rows)
        if (state === 'Confirmed' && accessKeyUuid !== null) await this.#deps.keys.revoke(tx, accessKeyUuid)
      await this.#store.delete(
        tx,
        rows.map(({ uuid }) => uuid),
      )
      this.#deps.events.collectRemoval(tx, 'DeviceLogin', rows.length)
      return rows.length
    })
  }
}

interface Confirmation {
  readonly userCode: string
  readonly role?: Role | undefined
}

/** Confirmation and redemption of one sign-in follow each other, on whichever nodes they run. */
const lockOf = (deviceCodeHash: string): string => `device ${deviceCodeHash}`

const unknownDevice = (): GrantError =>
  new GrantError('invalid_grant', 'the device code is unknown; start the sign-in again')
const redeemedTwice = (): GrantError =>
  new GrantError('invalid_grant', 'the access key was already returned and is deleted now; start the sign-in again')
const expired = (): GrantError => new GrantError('expired_token', 'the codes have expired; start the sign-in again')
