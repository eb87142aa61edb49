import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server'
import type { Tx } from '@wharf/database/database.ts'
import { ApiError, invalid } from '@wharf/platform/api-error.ts'
import type { Clock } from '@wharf/platform/clock.ts'
import { sha256 } from '@wharf/platform/constant-time.ts'
import { newUuid } from '@wharf/platform/ids.ts'
import type { Proof } from './proof.ts'
import type { PasskeyRow, SecondFactorStore } from './store.ts'

/** Loaded on first use: few servers have passkeys, and it takes a while. */
const webauthn = () => import('@simplewebauthn/server')

const validMs = 300_000
/** A user has a handful of devices. */
const maxPerUser = 50

interface PasskeyDeps {
  readonly store: SecondFactorStore
  readonly clock: Clock
  readonly publicUrl: string | undefined
}

interface RelyingParty {
  readonly id: string
  readonly origins: string[]
}

interface PasskeyUser {
  readonly uuid: string
  readonly name: string
}

const notAccepted = (field: string): ApiError =>
  invalid(`${field} is not the answer of a browser to a challenge of this server; create a new challenge and try again`)

/** WebAuthn: passkeys as a second factor. */
export class Passkeys {
  readonly #deps: PasskeyDeps

  constructor(deps: PasskeyDeps) {
    this.#deps = deps
  }

  /**
   * The domain that the browser shows, for which it has created the passkeys. The public address may name the same host with
   * another scheme or port than the one that a proxy forwards.
   */
  #relyingParty(address: string): RelyingParty {
    const given = new URL(address)
    const { publicUrl } = this.#deps
    const origins = [given, ...(publicUrl === undefined ? [] : [new URL(publicUrl)])]
    return {
      id: given.hostname,
      origins: origins.filter(({ hostname }) => hostname === given.hostname).map(({ origin }) => origin),
    }
  }

  /** Options for `navigator.credentials.create`. */
  async creationOptions(user: PasskeyUser, passkeys: readonly PasskeyRow[], address: string): Promise<object> {
    if (passkeys.length >= maxPerUser)
      throw new ApiError(
        'SYS.1006',
        `this user has ${maxPerUser} passkeys, the most that are allowed; remove one first`,
      )
    const { generateRegistrationOptions } = await webauthn()
    return generateRegistrationOptions({
      rpName: 'Wharf',
      rpID: this.#relyingParty(address).id,
      userName: user.name,
      userID: new Uint8Array(Buffer.from(user.uuid, 'hex')),
      timeout: validMs,
      excludeCredentials: passkeys.map(descriptorOf),
      // the password is the other factor
      authenticatorSelection: { residentKey: 'discouraged', userVerification: 'preferred' },
    })
  }

  /** Options for `navigator.credentials.get`. */
  async requestOptions(passkeys: readonly PasskeyRow[], address: string): Promise<object> {
    const { generateAuthenticationOptions } = await webauthn()
    return generateAuthenticationOptions({
      rpID: this.#relyingParty(address).id,
      timeout: validMs,
      allowCredentials: passkeys.map(descriptorOf),
      userVerification: 'preferred',
    })
  }

  /** Stores the challenge of options, to be answered once. */
  async storeChallenge(tx: Tx, userUuid: string, purpose: 'create' | 'prove', options: object): Promise<void> {
    const { challenge } = options as { challenge: string }
    const expiresDate = this.#deps.clock.now() + validMs
    await this.#deps.store.insertChallenge(tx, { hash: sha256(challenge), userUuid, purpose, expiresDate })
  }

  async #isOpen(challenge: string, userUuid: string, purpose: 'create' | 'prove'): Promise<boolean> {
    const found = await this.#deps.store.readChallenge(sha256(challenge))
    return found?.userUuid === userUuid && found.purpose === purpose && found.expiresDate > this.#deps.clock.now()
  }

  /** Verifies what the browser has created. Returns the row, and the hash of the challenge that it answers. */
  async verifyCreation(
    user: PasskeyUser,
    { name, response: text }: { name: string; response: string },
    address: string,
  ): Promise<{ row: PasskeyRow; challenge: string }> {
    const response = parsed<RegistrationResponseJSON>(text)
    const { id, origins } = this.#relyingParty(address)
    let answered = ''
    const { verifyRegistrationResponse } = await webauthn()
    const { registrationInfo } = await verifyRegistrationResponse({
      response: response as RegistrationResponseJSON,
      expectedChallenge: (challenge) => {
        answered = challenge
        return this.#isOpen(challenge, user.uuid, 'create')
      },
      expectedOrigin: origins,
      expectedRPID: id,
      requireUserVerification: false,
    }).catch(() => ({ registrationInfo: undefined }))
    if (registrationInfo === undefined) throw notAccepted('createPasskey.response')
    const { credential } = registrationInfo
    const row = {
      uuid: newUuid(),
      userUuid: user.uuid,
      name,
      credentialId: credential.id,
      publicKey: credential.publicKey,
      counter: credential.counter,
      transports: JSON.stringify(credential.transports ?? []),
      createDate: this.#deps.clock.now(),
      lastUsedDate: null,
    }
    return { row, challenge: sha256(answered) }
  }

  /** Verifies an assertion; undefined if it is none of these passkeys, or answers no open challenge. */
  async verifyAssertion(passkeys: readonly PasskeyRow[], text: string, address: string): Promise<Proof | undefined> {
    const response = parsed<AuthenticationResponseJSON>(text)
    const passkey = passkeys.find(({ credentialId }) => credentialId === response?.id)
    if (response === undefined || passkey === undefined) return undefined
    const { id, origins } = this.#relyingParty(address)
    let answered = ''
    const { verifyAuthenticationResponse } = await webauthn()
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response,
      expectedChallenge: (challenge) => {
        answered = challenge
        return this.#isOpen(challenge, passkey.userUuid, 'prove')
      },
      expectedOrigin: origins,
      expectedRPID: id,
      credential: {
        id: passkey.credentialId,
        publicKey: new Uint8Array(passkey.publicKey),
        counter: passkey.counter,
        transports: transportsOf(passkey),
      },
      requireUserVerification: false,
    }).catch(() => ({ verified: false, authenticationInfo: undefined }))
    if (!verified || authenticationInfo === undefined) return undefined
    const { store, clock } = this.#deps
    return {
      use: async (tx) => {
        if (!(await store.useChallenge(tx, sha256(answered)))) return false
        await store.usePasskey(tx, passkey.uuid, authenticationInfo.newCounter, clock.now())
        return true
      },
    }
  }
}

const transportsOf = ({ transports }: PasskeyRow) => JSON.parse(transports) as string[]

const descriptorOf = (row: PasskeyRow) => ({ id: row.credentialId, transports: transportsOf(row) })

function parsed<T extends object>(text: string): T | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? (value as T) : undefined
  } catch {
    return undefined
  }
}
