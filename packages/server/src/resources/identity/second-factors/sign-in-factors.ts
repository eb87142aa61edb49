import type { SecondFactorChallenge } from '@wharf/contract'
import type { Database } from '@wharf/database/database.ts'
import { ApiError } from '@wharf/platform/api-error.ts'
import type { UserRow } from '../accounts/store.ts'
import { attemptName, type LoginThrottle } from '../login-throttle.ts'
import type { Authenticators } from './authenticators.ts'
import type { FactorChanges } from './factor-changes.ts'
import type { Passkeys } from './passkeys.ts'
import type { Proof } from './proof.ts'
import { recoveryCodeHash } from './recovery-codes.ts'
import type { SecondFactorStore } from './store.ts'

export const factorRemedy = 'enter the current code of the authenticator app, a recovery code, or use a passkey'

const required = (details: string, secondFactor: SecondFactorChallenge): ApiError =>
  new ApiError('ID.1007', details, { opaque: { secondFactor } })

/** Where a call came from. */
export interface Origin {
  /** The address of the API as the browser reaches it. */
  readonly address: string
  readonly source: string
}

type FactorUser = Pick<UserRow, 'uuid' | 'accountUuid' | 'name' | 'role' | 'hasSecondFactor'>

interface SignInFactorDeps {
  readonly database: Database
  readonly attempts: LoginThrottle
  readonly store: SecondFactorStore
  readonly authenticators: Authenticators
  readonly passkeys: Passkeys
  readonly changes: FactorChanges
  readonly settings: { readonly requireSecondFactor: 'none' | 'admins' | 'all' }
}

/** The second factor at a sign-in: who needs one, the challenge, and its proof. */
export class SignInFactors {
  readonly #deps: SignInFactorDeps

  constructor(deps: SignInFactorDeps) {
    this.#deps = deps
  }

  isRequiredOf({ role, hasSecondFactor }: Pick<UserRow, 'role' | 'hasSecondFactor'>): boolean {
    return hasSecondFactor === 1 || this.isRequiredBySetting(role)
  }

  isRequiredBySetting(role: UserRow['role']): boolean {
    const { requireSecondFactor } = this.#deps.settings
    return requireSecondFactor === 'all' || (requireSecondFactor === 'admins' && role === 'admin')
  }

  /** The answer to a sign-in with the right password and without the factor. */
  async challenge(user: FactorUser, address: string, structure: string): Promise<ApiError> {
    const { store } = this.#deps
    if (user.hasSecondFactor === 0) return this.#enrolmentChallenge(user, structure)
    const passkey = await this.#passkeyChallenge(user.uuid, address)
    const hasAuthenticator = (await store.readAuthenticator(user.uuid))?.confirmedDate != null
    const hasCodes = (await store.countRecoveryCodes(user.uuid)) > 0
    return required(`the user has a second factor; repeat the call with ${structure}.secondFactor: ${factorRemedy}`, {
      factors: [
        ...(hasAuthenticator ? (['authenticator'] as const) : []),
        ...(passkey === null ? [] : (['passkey'] as const)),
        ...(hasCodes ? (['recoveryCode'] as const) : []),
      ],
      passkey,
      enrolment: null,
    })
  }

  async #passkeyChallenge(userUuid: string, address: string): Promise<object | null> {
    const { database, passkeys, store } = this.#deps
    const rows = await store.readPasskeys(userUuid)
    if (rows.length === 0) return null
    const options = await passkeys.requestOptions(rows, address)
    await database.transaction((tx) => passkeys.storeChallenge(tx, userUuid, 'prove', options))
    return options
  }

  /** A new secret at each sign-in, until one is confirmed; nothing else is permitted before. */
  async #enrolmentChallenge(user: FactorUser, structure: string): Promise<ApiError> {
    const { database, authenticators } = this.#deps
    const enrolment = await database.transaction((tx) => authenticators.create(tx, user))
    return required(
      `this server requires a second factor, and the user has none; add the secret to an authenticator app and repeat the call with its code in ${structure}.secondFactor`,
      { factors: [], passkey: null, enrolment },
    )
  }

  /**
   * Verifies a factor; undefined if it is wrong, which counts as a failed sign-in. Guesses from all sources together also
   * count for the user: each of them had the password, and a code has only six digits.
   */
  async prove(user: FactorUser, text: string, { address, source }: Origin): Promise<Proof | undefined> {
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

  async #verify(userUuid: string, text: string, address: string): Promise<Proof | undefined> {
    const { store, authenticators, passkeys } = this.#deps
    if (text.trimStart().startsWith('{'))
      return passkeys.verifyAssertion(await store.readPasskeys(userUuid), text, address)
    if (!/^\d{6}$/.test(text.replaceAll(/\s/g, ''))) {
      const hash = recoveryCodeHash(text)
      return { use: (tx) => store.useRecoveryCode(tx, userUuid, hash) }
    }
    const authenticator = await store.readAuthenticator(userUuid)
    return authenticator?.confirmedDate == null ? undefined : authenticators.verify(authenticator, text)
  }

  /** The first code of a secret that is not confirmed: using it confirms it. */
  async #verifyFirst({ uuid }: FactorUser, text: string): Promise<Proof | undefined> {
    const { store, authenticators, changes } = this.#deps
    const authenticator = await store.readAuthenticator(uuid)
    if (authenticator === undefined || authenticator.confirmedDate !== null) return undefined
    const proof = authenticators.verify(authenticator, text)
    return (
      proof && {
        use: async (tx) => {
          if (!(await proof.use(tx))) return false
          await changes.confirmAuthenticator(tx, uuid)
          return true
        },
      }
    )
  }
}
