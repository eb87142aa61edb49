import { constants, createPublicKey, type KeyObject, verify, type webcrypto } from 'node:crypto'
import type { Clock } from '@wharf/platform/clock.ts'
import type { CustomFetch } from 'openid-client'

/** A rotated key is found although the keys are cached; unknown ones cannot cause a request each. */
const refetchMs = 30_000
const maxAgeMs = 600_000
const minRsaBits = 2048

type ProviderKey = webcrypto.JsonWebKey & { readonly kid?: string; readonly use?: string; readonly alg?: string }

interface Algorithm {
  readonly hash: string | null
  readonly isFor: (key: KeyObject) => boolean
  readonly options?: object
}

const isRsa = ({ asymmetricKeyType: type, asymmetricKeyDetails: details }: KeyObject): boolean =>
  type === 'rsa' && (details?.modulusLength ?? 0) >= minRsaBits
const isCurve =
  (curve: string) =>
  ({ asymmetricKeyDetails }: KeyObject): boolean =>
    asymmetricKeyDetails?.namedCurve === curve

const pss = { padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: constants.RSA_PSS_SALTLEN_DIGEST }
const concatenated = { dsaEncoding: 'ieee-p1363' }

/** Signatures with a public key only: neither `none` nor one with a secret. */
const algorithms: Readonly<Record<string, Algorithm>> = {
  RS256: { hash: 'sha256', isFor: isRsa },
  RS384: { hash: 'sha384', isFor: isRsa },
  RS512: { hash: 'sha512', isFor: isRsa },
  PS256: { hash: 'sha256', isFor: isRsa, options: pss },
  PS384: { hash: 'sha384', isFor: isRsa, options: pss },
  PS512: { hash: 'sha512', isFor: isRsa, options: pss },
  ES256: { hash: 'sha256', isFor: isCurve('prime256v1'), options: concatenated },
  ES384: { hash: 'sha384', isFor: isCurve('secp384r1'), options: concatenated },
  ES512: { hash: 'sha512', isFor: isCurve('secp521r1'), options: concatenated },
  EdDSA: { hash: null, isFor: ({ asymmetricKeyType }) => asymmetricKeyType === 'ed25519' },
  Ed25519: { hash: null, isFor: ({ asymmetricKeyType }) => asymmetricKeyType === 'ed25519' },
}

interface ProviderKeysDeps {
  readonly keysUri: string | undefined
  readonly fetch: CustomFetch
  readonly timeoutSeconds: number
  readonly clock: Clock
}

/** The public keys of a provider. */
export class ProviderKeys {
  readonly #deps: ProviderKeysDeps
  #keys: readonly ProviderKey[] = []
  #readDate = Number.NEGATIVE_INFINITY

  constructor(deps: ProviderKeysDeps) {
    this.#deps = deps
  }

  /** Whether one of the keys has signed the JWT with an algorithm for keys of its kind. */
  async haveSigned(jwt: string, header: { readonly alg?: unknown; readonly kid?: unknown }): Promise<boolean> {
    const algorithm = Object.hasOwn(algorithms, String(header.alg)) ? algorithms[String(header.alg)] : undefined
    if (algorithm === undefined) return false
    const isSigned = (): boolean =>
      this.#keys
        .filter(({ kid, use, alg }) => {
          const isNamed = header.kid === undefined || kid === header.kid
          return isNamed && (use ?? 'sig') === 'sig' && (alg ?? header.alg) === header.alg
        })
        .some((key) => isSignedWith(jwt, key, algorithm))
    const ageMs = this.#deps.clock.now() - this.#readDate
    if (ageMs > maxAgeMs) await this.#read()
    else if (isSigned()) return true
    else if (ageMs > refetchMs) await this.#read()
    return isSigned()
  }

  async #read(): Promise<void> {
    const { keysUri, fetch, timeoutSeconds, clock } = this.#deps
    if (keysUri === undefined) throw new Error('the provider has no jwks_uri')
    const signal = AbortSignal.timeout(timeoutSeconds * 1000)
    const headers = { accept: 'application/json' }
    const response = await fetch(keysUri, { method: 'GET', headers, body: undefined, redirect: 'manual', signal })
    if (response.status !== 200) throw new Error(`the keys of the provider cannot be read: status ${response.status}`)
    const { keys } = (await response.json()) as { keys?: unknown }
    this.#keys = Array.isArray(keys) ? (keys as ProviderKey[]) : []
    this.#readDate = clock.now()
  }
}

function isSignedWith(jwt: string, jwk: ProviderKey, { hash, isFor, options }: Algorithm): boolean {
  try {
    const key = createPublicKey({ key: jwk, format: 'jwk' })
    const end = jwt.lastIndexOf('.')
    const signature = Buffer.from(jwt.slice(end + 1), 'base64url')
    return isFor(key) && verify(hash, Buffer.from(jwt.slice(0, end)), { key, ...options }, signature)
  } catch {
    return false
  }
}
