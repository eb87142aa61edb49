import { randomBytes } from 'node:crypto'
import type { Tx } from '@wharf/database/database.ts'
import { ApiError } from '@wharf/platform/api-error.ts'
import type { Clock } from '@wharf/platform/clock.ts'
import type { Sealing } from '@wharf/platform/sealing.ts'
import type { Proof } from './proof.ts'
import type { AuthenticatorRow, SecondFactorStore } from './store.ts'
import { base32, stepOf } from './totp.ts'

/** As RFC 4226 recommends for SHA-1. */
const secretBytes = 20

const sealContext = (userUuid: string): string => `authenticators.secret.${userUuid}`

/** As an authenticator app reads it. */
export interface AuthenticatorSecret {
  readonly secret: string
  readonly uri: string
}

interface AuthenticatorDeps {
  readonly store: SecondFactorStore
  readonly sealing: Sealing
  readonly clock: Clock
}

/** Authenticator apps: their secrets, and the codes that prove them. */
export class Authenticators {
  readonly #deps: AuthenticatorDeps

  constructor(deps: AuthenticatorDeps) {
    this.#deps = deps
  }

  /** A new secret, which takes effect with its first code. */
  async create(tx: Tx, user: { readonly uuid: string; readonly name: string }): Promise<AuthenticatorSecret> {
    const bytes = randomBytes(secretBytes)
    const secret = base32(bytes)
    const row = {
      uuid: user.uuid,
      sealedSecret: this.#deps.sealing.seal(bytes.toString('base64'), sealContext(user.uuid)),
      lastStep: 0,
      confirmedDate: null,
      createDate: this.#deps.clock.now(),
    }
    if (!(await this.#deps.store.putAuthenticator(tx, row)))
      throw new ApiError('SYS.1006', 'an authenticator app is enrolled already; remove it first')
    return { secret, uri: `otpauth://totp/Wharf:${encodeURIComponent(user.name)}?secret=${secret}&issuer=Wharf` }
  }

  /** Undefined if the code is wrong. */
  verify({ uuid, sealedSecret }: AuthenticatorRow, code: string): Proof | undefined {
    const secret = Buffer.from(this.#deps.sealing.open(sealedSecret, sealContext(uuid)), 'base64')
    const step = stepOf(secret, code.replaceAll(/\s/g, ''), this.#deps.clock.now())
    return step === undefined ? undefined : { use: (tx) => this.#deps.store.useStep(tx, uuid, step) }
  }
}
