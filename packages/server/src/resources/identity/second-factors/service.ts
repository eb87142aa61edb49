import { randomBytes } from 'node:crypto'
import type { SecondFactorChallenge } from '@wharf/contract'
import type { Database, Tx } from '@wharf/database/database.ts'
import { deleteInBatches } from '@wharf/database/delete-in-batches.ts'
import { ApiError, invalid, notFound } from '@wharf/platform/api-error.ts'
import type { Clock } from '@wharf/platform/clock.ts'
import type { Sealing } from '@wharf/platform/sealing.ts'
import type { Caller } from '../../../calls/caller.ts'
import type { Events } from '../../../events/events.ts'
import { AccountStore, type UserRow } from '../accounts/store.ts'
import { type Attempts, attemptName } from '../attempts.ts'
import { userLock } from '../user-lock.ts'
import { refuseBeyondScope } from '../user-scope.ts'
import { Passkeys } from './passkeys.ts'
import type { Proof } from './proof.ts'
import { newRecoveryCodes, recoveryCodeHash } from './recovery-codes.ts'
import { type AuthenticatorRow, SecondFactorStore } from './store.ts'
import { base32, stepOf } from './totp.ts'

/** As RFC 4226 recommends for SHA-1. */
const secretBytes = 20

const remedy = 'enter the current code of the authenticator app, a recovery code, or use a passkey'

const wrongProof = (field: string): ApiError =>
  new ApiError('ID.1002', `${field} is wrong or was used before; ${remedy}`)

const place = (userUuid: string): string => `authenticators.secret.${userUuid}`

interface SecondFactorDeps {
  readonly database: Database
  readonly events: Events
  readonly clock: Clock
  readonly sealing: Sealing
  readonly attempts: Attempts
  readonly settings: {
    readonly requireSecondFactor: 'none' | 'admins' | 'all'
    readonly publicUrl?: string | undefined
  }
}

/** What a call says about where it came from. */
interface Origin {
  /** The address of the API as the browser reaches it. */
  readonly address: string
  readonly source: string
}

type FactorUser = Pick<UserRow, 'uuid' | 'accountUuid' | 'name' | 'role' | 'hasSecondFactor'>

/** Authenticator apps, recovery codes and passkeys of users with a password. */
export class SecondFactorService {
  readonly #deps: SecondFactorDeps
  readonly #store: SecondFactorStore
  readonly #accounts: AccountStore
  readonly #passkeys: Passkeys

  constructor(deps: SecondFactorDeps) {
    this.#deps = deps
    this.#store = new SecondFactorStore(deps.database)
    this.#accounts = new AccountStore(deps.database)
    this.#passkeys = new Passkeys({ ...deps, store: this.#store, publicUrl: deps.settings.publicUrl })
  }

  isRequiredOf({ role, hasSecondFactor }: Pick<UserRow, 'role' | 'hasSecondFactor'>): boolean {
    return hasSecondFactor === 1 || this.#isRequiredBySetting(role)
  }

  #isRequiredBySetting(role: UserRow['role']): boolean {
    const { requireSecondFactor } = this.#deps.settings
    return requireSecondFactor === 'all' || (requireSecondFactor === 'admins' && role === 'admin')
  }

  /** The answer to a sign-in with the right password and without the factor. */
  async challenge(user: FactorUser, address: string, structure: string): Promise<ApiError> {
    if (user.hasSecondFactor === 0) return this.#enrolmentChallenge(user, structure)
    const passkeys = await this.#store.readPasskeys(user.uuid)
    const passkey = passkeys.length === 0 ? null : await this.#passkeys.requestOptions(passkeys, address)
    if (passkey !== null)
      await this.#deps.database.transaction((tx) => this.#passkeys.storeChallenge(tx, user.uuid, 'prove', passkey))
    const hasAuthenticator = (await this.#store.readAuthenticator(user.uuid))?.confirmedDate != null
    const hasCodes = (await this.#store.countRecoveryCodes(user.uuid)) > 0
    return required(`the user has a second factor; repeat the call with ${structure}.secondFactor: ${remedy}`, {
      factors: [
        ...(hasAuthenticator ? (['authenticator'] as const) : []),
        ...(passkey === null ? [] : (['passkey'] as const)),
        ...(hasCodes ? (['recoveryCode'] as const) : []),
      ],
      passkey,
      enrolment: null,
    })
  }

  /** A new secret at each sign-in, until one is confirmed; nothing else is permitted before. */
  async #enrolmentChallenge(user: FactorUser, structure: string): Promise<ApiError> {
    const { secret, uri } = await this.#deps.database.transaction((tx) => this.#putAuthenticator(tx, user))
    return required(
      `this server requires a second factor, and the user has none; add the secret to an authenticator app and repeat the call with its code in ${structure}.secondFactor`,
      { factors: [], passkey: null, enrolment: { secret, uri } },
    )
  }

  async #putAuthenticator(tx: Tx, user: FactorUser): Promise<{ secret: string; uri: string }> {
    const bytes = randomBytes(secretBytes)
    const secret = base32(bytes)
    const row = {
      uuid: user.uuid,
      sealedSecret: this.#deps.sealing.seal(bytes.toString('base64'), place(user.uuid)),
      lastStep: 0,
      confirmedDate: null,
      createDate: this.#deps.clock.now(),
    }
    if (!(await this.#store.putAuthenticator(tx, row)))
      throw new ApiError('SYS.1006', 'an authenticator app is enrolled already; remove it first')
    return { secret, uri: `otpauth://totp/Wharf:${encodeURIComponent(user.name)}?secret=${secret}&issuer=Wharf` }
  }

  /**
   * Verifies a factor at a sign-in; undefined if it is wrong, which counts as a failed attempt. Guesses from all sources
   * together also count for the user: each of them had the password, and a code has only six digits.
   */
  async proveSignIn(user: FactorUser, text: string, { address, source }: Origin): Promise<Proof | undefined> {
    const { attempts } = this.#deps
    const name = attemptName.user(user.accountUuid, user.name)
    const ofUser = `second factor ${user.uuid}`
    attempts.refuseBlocked(ofUser, name)
    const proof =
      user.hasSecondFactor === 1 ? await this.#verify(user.uuid, text, address) : await this.#verifyFirst(user, text)
    const countFailure = (): void => {
      attempts.failed(source, name)
      attempts.failed(ofUser, name)
    }
    if (proof === undefined) countFailure()
    return (
      proof && {
        use: async (tx) => {
          const isUsed = await proof.use(tx)
          if (isUsed) attempts.succeeded(ofUser, name)
          else countFailure()
          return isUsed
        },
      }
    )
  }

  /** Of a user who is signed in. */
  async #prove(user: FactorUser, text: string, origin: Origin, field: string): Promise<Proof> {
    const proof = await this.proveSignIn(user, text, origin)
    if (proof === undefined) throw wrongProof(field)
    return proof
  }

  async #verify(userUuid: string, text: string, address: string): Promise<Proof | undefined> {
    if (text.trimStart().startsWith('{'))
      return this.#passkeys.verifyAssertion(await this.#store.readPasskeys(userUuid), text, address)
    const digits = text.replaceAll(/\s/g, '')
    if (!/^\d{6}$/.test(digits)) {
      const hash = recoveryCodeHash(text)
      return { use: (tx) => this.#store.useRecoveryCode(tx, userUuid, hash) }
    }
    const authenticator = await this.#store.readAuthenticator(userUuid)
    return authenticator?.confirmedDate == null ? undefined : this.#verifyCode(authenticator, digits)
  }

  #verifyCode({ uuid, sealedSecret }: AuthenticatorRow, code: string): Proof | undefined {
    const secret = Buffer.from(this.#deps.sealing.open(sealedSecret, place(uuid)), 'base64')
    const step = stepOf(secret, code, this.#deps.clock.now())
    return step === undefined ? undefined : { use: (tx) => this.#store.useStep(tx, uuid, step) }
  }

  /** The first code of a secret that is not confirmed: using it confirms it. */
  async #verifyFirst(user: FactorUser, text: string): Promise<Proof | undefined> {
    const authenticator = await this.#store.readAuthenticator(user.uuid)
    if (authenticator === undefined || authenticator.confirmedDate !== null) return undefined
    const proof = this.#verifyCode(authenticator, text.replaceAll(/\s/g, ''))
    return (
      proof && {
        use: async (tx) => {
          if (!(await proof.use(tx))) return false
          await this.#store.confirmAuthenticator(tx, user.uuid, this.#deps.clock.now())
          await this.#setHasFactor(tx, user.uuid)
          return true
        },
      }
    )
  }

  // Operations of a user who is signed in

  async get({ userUuid, role }: Caller) {
    const authenticator = await this.#store.readAuthenticator(userUuid)
    const passkeys = await this.#store.readPasskeys(userUuid)
    return {
      isRequired: this.#isRequiredBySetting(role),
      authenticatorDate: authenticator?.confirmedDate ?? null,
      recoveryCodes: await this.#store.countRecoveryCodes(userUuid),
      passkeys: passkeys.map(({ uuid, name, createDate, lastUsedDate }) => ({ uuid, name, createDate, lastUsedDate })),
    }
  }

  async enrolAuthenticator(tx: Tx, { userUuid }: Caller): Promise<{ secret: string; uri: string }> {
    return this.#putAuthenticator(tx, await this.#lockedUser(tx, userUuid))
  }

  async verifyFirstCode({ userUuid }: Caller, code: string): Promise<Proof> {
    const authenticator = await this.#store.readAuthenticator(userUuid)
    if (authenticator === undefined || authenticator.confirmedDate !== null)
      throw new ApiError('SYS.1006', 'no authenticator app waits for its first code; call enrolAuthenticator first')
    const proof = this.#verifyCode(authenticator, code.replaceAll(/\s/g, ''))
    if (proof === undefined)
      throw invalid(
        'confirmAuthenticator.code is not the current code of the secret; enter the code that the app shows, and check the clock of the device',
      )
    return proof
  }

  /** Returns recovery codes for a user who has none. */
  async confirmAuthenticator(tx: Tx, { userUuid }: Caller, proof: Proof): Promise<string[] | null> {
    await this.#lockedUser(tx, userUuid)
    if (!(await proof.use(tx))) throw invalid('confirmAuthenticator.code was used before; enter the next one')
    await this.#store.confirmAuthenticator(tx, userUuid, this.#deps.clock.now())
    await this.#setHasFactor(tx, userUuid)
    return this.#firstRecoveryCodes(tx, userUuid)
  }

  async proveRemoval({ userUuid }: Caller, text: string, origin: Origin, structure: string): Promise<Proof> {
    const user = await this.#accounts.readUser(userUuid)
    if (user === undefined) throw notFound('user', userUuid)
    if (user.hasSecondFactor === 0) throw new ApiError('SYS.1006', 'the user has no second factor to remove')
    return this.#prove(user, text, origin, `${structure}.secondFactor`)
  }

  async removeAuthenticator(tx: Tx, { userUuid }: Caller, proof: Proof): Promise<void> {
    await this.#lockedUser(tx, userUuid)
    if (!(await proof.use(tx))) throw wrongProof('removeAuthenticator.secondFactor')
    await this.#store.deleteAuthenticator(tx, userUuid)
    await this.#setHasFactor(tx, userUuid)
  }

  async createRecoveryCodes(tx: Tx, { userUuid }: Caller): Promise<string[]> {
    const user = await this.#lockedUser(tx, userUuid)
    if (user.hasSecondFactor === 0)
      throw new ApiError('SYS.1006', 'the user has no second factor; enrol an authenticator app or a passkey first')
    await this.#recordChange(tx, user, {})
    return this.#newRecoveryCodes(tx, userUuid)
  }

  /** JSON for `navigator.credentials`. */
  async passkeyOptions({ userUuid, userName }: Caller, purpose: 'create' | 'prove', address: string): Promise<object> {
    const passkeys = await this.#store.readPasskeys(userUuid)
    if (purpose === 'create')
      return this.#passkeys.creationOptions({ uuid: userUuid, name: userName }, passkeys, address)
    if (passkeys.length === 0) throw new ApiError('SYS.1006', 'the user has no passkey; create one first')
    return this.#passkeys.requestOptions(passkeys, address)
  }

  storeChallenge(tx: Tx, { userUuid }: Caller, purpose: 'create' | 'prove', options: object): Promise<void> {
    return this.#passkeys.storeChallenge(tx, userUuid, purpose, options)
  }

  verifyPasskey(
    { userUuid: uuid, userName: name }: Caller,
    given: { name: string; response: string },
    address: string,
  ) {
    return this.#passkeys.verifyCreation({ uuid, name }, given, address)
  }

  async createPasskey(
    tx: Tx,
    { userUuid }: Caller,
    { row, challenge }: Awaited<ReturnType<Passkeys['verifyCreation']>>,
  ) {
    await this.#lockedUser(tx, userUuid)
    if (!(await this.#store.useChallenge(tx, challenge)) || !(await this.#store.insertPasskey(tx, row)))
      throw new ApiError('SYS.1002', 'this passkey is stored already; create another one')
    await this.#setHasFactor(tx, userUuid)
    const { uuid, name, createDate, lastUsedDate } = row
    const inventory = { uuid, name, createDate, lastUsedDate }
    return { inventory, recoveryCodes: await this.#firstRecoveryCodes(tx, userUuid) }
  }

  async removePasskey(tx: Tx, { userUuid }: Caller, passkeyUuid: string, proof: Proof): Promise<void> {
    await this.#lockedUser(tx, userUuid)
    if (!(await proof.use(tx))) throw wrongProof('removePasskey.secondFactor')
    if (!(await this.#store.deletePasskey(tx, userUuid, passkeyUuid))) throw notFound('passkey', passkeyUuid)
    await this.#setHasFactor(tx, userUuid)
  }

  /** By an admin, for a user who has lost them. */
  async removeOfUser(tx: Tx, caller: Caller, userUuid: string): Promise<UserRow> {
    const user = await this.#lockedUser(tx, userUuid)
    refuseBeyondScope(caller, `user ${user.name}`, user.scope)
    if (user.uuid === caller.userUuid)
      throw new ApiError('SYS.1006', 'this is your own user; remove each factor on its own, which proves one of them')
    return this.removeAll(tx, user)
  }

  async removeAll(tx: Tx, { uuid }: Pick<UserRow, 'uuid'>): Promise<UserRow> {
    await this.#store.deleteAuthenticator(tx, uuid)
    await this.#store.deletePasskeys(tx, uuid)
    return this.#setHasFactor(tx, uuid)
  }

  async removeOld(): Promise<void> {
    const now = this.#deps.clock.now()
    await deleteInBatches(this.#deps.database, (tx, limit) => this.#store.deleteExpiredChallenges(tx, now, limit))
  }

  /** The caller's lock `adminLock` precedes this one. */
  async #lockedUser(tx: Tx, userUuid: string): Promise<UserRow> {
    await this.#deps.database.lock(tx, userLock(userUuid))
    const user = await this.#accounts.findUser(tx, userUuid)
    if (user === undefined) throw notFound('user', userUuid)
    return user
  }

  /** After a change of factors. Without one, recovery codes have no use. */
  async #setHasFactor(tx: Tx, userUuid: string): Promise<UserRow> {
    const user = await this.#accounts.findUser(tx, userUuid)
    if (user === undefined) throw notFound('user', userUuid)
    const hasFactor = await this.#store.hasFactor(tx, userUuid)
    if (!hasFactor) await this.#store.replaceRecoveryCodes(tx, userUuid, [])
    return this.#recordChange(tx, user, { hasSecondFactor: hasFactor ? 1 : 0 })
  }

  async #recordChange(tx: Tx, before: UserRow, change: { hasSecondFactor?: number }): Promise<UserRow> {
    const changed = { ...change, lastOpDate: this.#deps.clock.now() }
    await this.#accounts.updateUser(tx, before.uuid, changed)
    const after = { ...before, ...changed }
    const images = { before: { ...before }, after: { ...after } }
    await this.#deps.events.record(tx, { type: 'Updated', resourceType: 'User', uuid: before.uuid, ...images })
    return after
  }

  async #firstRecoveryCodes(tx: Tx, userUuid: string): Promise<string[] | null> {
    return (await this.#store.hasRecoveryCodes(tx, userUuid)) ? null : this.#newRecoveryCodes(tx, userUuid)
  }

  async #newRecoveryCodes(tx: Tx, userUuid: string): Promise<string[]> {
    const codes = newRecoveryCodes()
    await this.#store.replaceRecoveryCodes(tx, userUuid, codes.map(recoveryCodeHash))
    return codes
  }
}

const required = (details: string, secondFactor: SecondFactorChallenge): ApiError =>
  new ApiError('ID.1007', details, { opaque: { secondFactor } })
