import type { Database, Tx } from '@wharf/database/database.ts'
import { deleteInBatches } from '@wharf/database/delete-in-batches.ts'
import { ApiError, invalid, notFound } from '@wharf/platform/api-error.ts'
import type { Clock } from '@wharf/platform/clock.ts'
import type { Sealing } from '@wharf/platform/sealing.ts'
import type { Caller } from '../../../calls/caller.ts'
import type { Outbox } from '../../../events/outbox.ts'
import { AccountStore, type UserRow } from '../accounts/store.ts'
import type { LoginThrottle } from '../login-throttle.ts'
import { refuseBeyondScope } from '../user-scope.ts'
import { type AuthenticatorSecret, Authenticators } from './authenticators.ts'
import { FactorChanges } from './factor-changes.ts'
import { Passkeys } from './passkeys.ts'
import type { Proof } from './proof.ts'
import { factorRemedy, type Origin, SignInFactors } from './sign-in-factors.ts'
import { SecondFactorStore } from './store.ts'

const wrongProof = (field: string): ApiError =>
  new ApiError('ID.1002', `${field} is wrong or was used before; ${factorRemedy}`)

interface SecondFactorDeps {
  readonly database: Database
  readonly events: Outbox
  readonly clock: Clock
  readonly sealing: Sealing
  readonly attempts: LoginThrottle
  readonly settings: {
    readonly requireSecondFactor: 'none' | 'admins' | 'all'
    readonly publicUrl?: string | undefined
  }
}

/** Authenticator apps, recovery codes and passkeys, as users with a password add and remove them. */
export class SecondFactorService {
  readonly signIn: SignInFactors
  readonly #deps: SecondFactorDeps
  readonly #store: SecondFactorStore
  readonly #accounts: AccountStore
  readonly #authenticators: Authenticators
  readonly #passkeys: Passkeys
  readonly #changes: FactorChanges

  constructor(deps: SecondFactorDeps) {
    const store = new SecondFactorStore(deps.database)
    const accounts = new AccountStore(deps.database)
    const authenticators = new Authenticators({ ...deps, store })
    const passkeys = new Passkeys({ ...deps, store, publicUrl: deps.settings.publicUrl })
    const changes = new FactorChanges({ ...deps, store, accounts })
    this.#deps = deps
    this.#store = store
    this.#accounts = accounts
    this.#authenticators = authenticators
    this.#passkeys = passkeys
    this.#changes = changes
    this.signIn = new SignInFactors({ ...deps, store, authenticators, passkeys, changes })
  }

  async get({ userUuid, role }: Caller) {
    const authenticator = await this.#store.readAuthenticator(userUuid)
    const passkeys = await this.#store.readPasskeys(userUuid)
    return {
      isRequired: this.signIn.isRequiredBySetting(role),
      authenticatorDate: authenticator?.confirmedDate ?? null,
      recoveryCodes: await this.#store.countRecoveryCodes(userUuid),
      passkeys: passkeys.map(({ uuid, name, createDate, lastUsedDate }) => ({ uuid, name, createDate, lastUsedDate })),
    }
  }

  async enrolAuthenticator(tx: Tx, { userUuid }: Caller): Promise<AuthenticatorSecret> {
    return this.#authenticators.create(tx, await this.#changes.lockedUser(tx, userUuid))
  }

  async verifyFirstCode({ userUuid }: Caller, code: string): Promise<Proof> {
    const authenticator = await this.#store.readAuthenticator(userUuid)
    if (authenticator === undefined || authenticator.confirmedDate !== null)
      throw new ApiError('SYS.1006', 'no authenticator app waits for its first code; call enrolAuthenticator first')
    const proof = this.#authenticators.verify(authenticator, code)
    if (proof === undefined)
      throw invalid(
        'confirmAuthenticator.code is not the current code of the secret; enter the code that the app shows, and check the clock of the device',
      )
    return proof
  }

  /** Returns recovery codes for a user who has none. */
  async confirmAuthenticator(tx: Tx, { userUuid }: Caller, proof: Proof): Promise<string[] | null> {
    await this.#changes.lockedUser(tx, userUuid)
    if (!(await proof.use(tx))) throw invalid('confirmAuthenticator.code was used before; enter the next one')
    await this.#changes.confirmAuthenticator(tx, userUuid)
    return this.#changes.firstRecoveryCodes(tx, userUuid)
  }

  async proveRemoval({ userUuid }: Caller, text: string, origin: Origin, structure: string): Promise<Proof> {
    const user = await this.#accounts.readUser(userUuid)
    if (user === undefined) throw notFound('user', userUuid)
    if (user.hasSecondFactor === 0) throw new ApiError('SYS.1006', 'the user has no second factor to remove')
    const proof = await this.signIn.prove(user, text, origin)
    if (proof === undefined) throw wrongProof(`${structure}.secondFactor`)
    return proof
  }

  async removeAuthenticator(tx: Tx, { userUuid }: Caller, proof: Proof): Promise<void> {
    await this.#changes.lockedUser(tx, userUuid)
    if (!(await proof.use(tx))) throw wrongProof('removeAuthenticator.secondFactor')
    await this.#store.deleteAuthenticator(tx, userUuid)
    await this.#changes.recordFactors(tx, userUuid)
  }

  async createRecoveryCodes(tx: Tx, { userUuid }: Caller): Promise<string[]> {
    const user = await this.#changes.lockedUser(tx, userUuid)
    if (user.hasSecondFactor === 0)
      throw new ApiError('SYS.1006', 'the user has no second factor; enrol an authenticator app or a passkey first')
    return this.#changes.replaceRecoveryCodes(tx, user)
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
    await this.#changes.lockedUser(tx, userUuid)
    if (!(await this.#store.useChallenge(tx, challenge)) || !(await this.#store.insertPasskey(tx, row)))
      throw new ApiError('SYS.1002', 'this passkey is stored already; create another one')
    await this.#changes.recordFactors(tx, userUuid)
    const { uuid, name, createDate, lastUsedDate } = row
    const inventory = { uuid, name, createDate, lastUsedDate }
    return { inventory, recoveryCodes: await this.#changes.firstRecoveryCodes(tx, userUuid) }
  }

  async removePasskey(tx: Tx, { userUuid }: Caller, passkeyUuid: string, proof: Proof): Promise<void> {
    await this.#changes.lockedUser(tx, userUuid)
    if (!(await proof.use(tx))) throw wrongProof('removePasskey.secondFactor')
    if (!(await this.#store.deletePasskey(tx, userUuid, passkeyUuid))) throw notFound('passkey', passkeyUuid)
    await this.#changes.recordFactors(tx, userUuid)
  }

  /** By an admin, for a user who has lost them. */
  async removeOfUser(tx: Tx, caller: Caller, userUuid: string): Promise<UserRow> {
    const user = await this.#changes.lockedUser(tx, userUuid)
    refuseBeyondScope(caller, `user ${user.name}`, user.scope)
    if (user.uuid === caller.userUuid)
      throw new ApiError('SYS.1006', 'this is your own user; remove each factor on its own, which proves one of them')
    return this.removeAll(tx, user)
  }

  async removeAll(tx: Tx, { uuid }: Pick<UserRow, 'uuid'>): Promise<UserRow> {
    await this.#store.deleteAuthenticator(tx, uuid)
    await this.#store.deletePasskeys(tx, uuid)
    return this.#changes.recordFactors(tx, uuid)
  }

  async removeOld(): Promise<void> {
    const now = this.#deps.clock.now()
    await deleteInBatches(this.#deps.database, (tx, limit) => this.#store.deleteExpiredChallenges(tx, now, limit))
  }
}
