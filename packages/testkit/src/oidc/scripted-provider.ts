import { createHash, createHmac, generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { freePort } from '../free-port.ts'

/** What it does wrong. */
export type ProviderFault =
  | 'other issuer in its metadata'
  | 'other issuer in the ID token'
  | 'other audience'
  | 'unknown key'
  | 'alg none'
  | 'alg HS256 with the client secret'
  | 'wrong nonce'
  | 'expired ID token'
  | 'no ID token'
  | 'error 500 at the token endpoint'
  | 'refused code'

interface Cleanup {
  after(work: () => Promise<void>): void
}

/** Generated on first use: every test process loads this module, and few have a provider. */
const keyPairs = new Map<string, { privateKey: KeyObject; publicKey: KeyObject }>()
const keyPair = (name: 'published' | 'unknown') =>
  keyPairs.getOrInsertComputed(name, () => generateKeyPairSync('rsa', { modulusLength: 2048 }))
const publishedKeys = () => {
  const key = keyPair('published').publicKey.export({ format: 'jwk' })
  return { keys: [{ ...key, kid: 'first', use: 'sig', alg: 'RS256' }] }
}

type Json = Record<string, unknown>
const part = (value: Json): string => Buffer.from(JSON.stringify(value)).toString('base64url')

/** A JWT by the key that the provider publishes, or by one that it does not. */
export function signedToken(claims: Json, { isUnknownKey = false, header = {} as Json } = {}): string {
  const signed = `${part({ alg: 'RS256', kid: 'first', ...header })}.${part(claims)}`
  const signature = sign('sha256', Buffer.from(signed), keyPair(isUnknownKey ? 'unknown' : 'published').privateKey)
  return `${signed}.${signature.toString('base64url')}`
}

const unsigned = (claims: Json): string => `${part({ alg: 'none' })}.${part(claims)}.`

function signedWithSecret(claims: Json, secret: string): string {
  const signed = `${part({ alg: 'HS256' })}.${part(claims)}`
  return `${signed}.${createHmac('sha256', secret).update(signed).digest('base64url')}`
}

/** A provider whose responses a test decides: a real one cannot be made to violate the protocol. */
export class ScriptedProvider {
  readonly clientId = 'wharf'
  readonly clientSecret = 'secret of the client'
  readonly issuer: string
  fault: ProviderFault | undefined
  claims: Json = { sub: 'mallory', preferred_username: 'mallory', groups: ['ops'] }
  /** How many times each endpoint was called. */
  readonly calls: Record<string, number> = {}
  readonly #server: Server
  #nonce = ''

  private constructor(issuer: string) {
    this.issuer = issuer
    this.#server = createServer((request, response) => void this.#answer(request, response))
  }

  static async start(t: Cleanup): Promise<ScriptedProvider> {
    const port = await freePort('127.0.0.1')
    const provider = new ScriptedProvider(`http://127.0.0.1:${port}`)
    provider.#server.listen(port, '127.0.0.1')
    await once(provider.#server, 'listening')
    t.after(async () => {
      provider.#server.closeAllConnections()
      provider.#server.close()
      await once(provider.#server, 'close')
    })
    return provider
  }

  /** The response that it sends the browser back with. */
  authorize(authorizationUrl: string): string {
    const { searchParams } = new URL(authorizationUrl)
    this.#nonce = searchParams.get('nonce') ?? ''
    return new URLSearchParams({ code: 'any', state: searchParams.get('state') ?? '' }).toString()
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = request.url ?? ''
    this.calls[path] = (this.calls[path] ?? 0) + 1
    await text(request)
    const [status, body] = this.#bodyOf(path)
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  }

  #bodyOf(path: string): [number, Json] {
    if (path === '/jwks') return [200, publishedKeys()]
    if (path === '/token') return this.#tokens()
    const { issuer } = this
    return [
      200,
      {
        issuer: this.fault === 'other issuer in its metadata' ? 'https://elsewhere.example.com' : issuer,
        authorization_endpoint: `${issuer}/auth`,
        token_endpoint: `${issuer}/token`,
        jwks_uri: `${issuer}/jwks`,
        id_token_signing_alg_values_supported: ['RS256'],
      },
    ]
  }

  #tokens(): [number, Json] {
    if (this.fault === 'error 500 at the token endpoint') return [500, { message: 'out of order' }]
    if (this.fault === 'refused code') return [400, { error: 'invalid_grant', error_description: 'the code was used' }]
    const tokens = { access_token: 'any', token_type: 'Bearer', expires_in: 60 }
    return [200, this.fault === 'no ID token' ? tokens : { ...tokens, id_token: this.#idToken() }]
  }

  #idToken(): string {
    const now = Math.floor(Date.now() / 1000)
    const claims = {
      iss: this.fault === 'other issuer in the ID token' ? 'https://elsewhere.example.com' : this.issuer,
      aud: this.fault === 'other audience' ? 'another client' : this.clientId,
      nonce: this.fault === 'wrong nonce' ? createHash('sha256').update(this.#nonce).digest('hex') : this.#nonce,
      iat: now - 5,
      exp: this.fault === 'expired ID token' ? now - 3600 : now + 300,
      ...this.claims,
    }
    if (this.fault === 'alg none') return unsigned(claims)
    if (this.fault === 'alg HS256 with the client secret') return signedWithSecret(claims, this.clientSecret)
    return signedToken(claims, { isUnknownKey: this.fault === 'unknown key' })
  }
}
