import { createHmac, hash, type KeyObject, randomUUID, sign } from 'node:crypto'
import { recordFailure } from '../checks/recorded-failures.ts'
import { sendCall } from './send-call.ts'

export type ClientCredential =
  | { kind: 'none' }
  | { kind: 'session'; uuid: string }
  | { kind: 'key'; id: string; secret: string }
  /** Signs by RFC 9421: with a secret, or an Ed25519 key. */
  | { kind: 'message'; id: string; key: string | KeyObject }

export interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  // tests read answers of every shape
  readonly body: Record<string, unknown> & { error?: WireFailure | null }
}

interface WireFailure {
  code: string
  description: string
  details: string
  cause: WireFailure | null
}

/** Calls the API as the specification describes it, independent of the server's own code. */
export class Client {
  readonly url: string
  readonly credential: ClientCredential
  readonly #clock: { now(): number }

  constructor(url: string, credential: ClientCredential, clock: { now(): number } = Date) {
    this.url = url
    this.credential = credential
    this.#clock = clock
  }

  get(path: string, headers: Record<string, string> = {}): Promise<Answer> {
    return this.call('GET', path, undefined, headers)
  }
  post(path: string, body?: unknown, headers: Record<string, string> = {}): Promise<Answer> {
    return this.call('POST', path, body, headers)
  }
  put(path: string, body?: unknown, headers: Record<string, string> = {}): Promise<Answer> {
    return this.call('PUT', path, body, headers)
  }
  delete(path: string, body?: unknown, headers: Record<string, string> = {}): Promise<Answer> {
    return this.call('DELETE', path, body, headers)
  }

  async call(method: string, path: string, body?: unknown, headers: Record<string, string> = {}): Promise<Answer> {
    const sent = body === undefined || typeof body === 'string' ? body : JSON.stringify(body)
    const contentHeaders = sent === undefined ? {} : { 'content-type': 'application/json;charset=UTF-8' }
    const response = await sendCall(this.url + path, {
      method,
      headers: { ...this.authorization(method, path, sent), ...contentHeaders, ...headers },
      body: sent,
    })
    const { status, contentType, text } = response
    const parsed = contentType?.startsWith('application/json') && text ? JSON.parse(text) : {}
    recordFailure(parsed)
    return {
      status,
      text,
      body: parsed,
      get headers() {
        return response.headers
      },
    }
  }

  /** The bare response, for streams. */
  fetch(
    method: string,
    path: string,
    init: { headers?: Record<string, string>; body?: string; signal?: AbortSignal } = {},
  ) {
    return fetch(this.url + path, {
      ...init,
      method,
      redirect: 'manual',
      headers: { ...this.authorization(method, path, init.body), ...init.headers },
    })
  }

  authorization(method: string, path: string, body?: string): Record<string, string> {
    const { credential } = this
    if (credential.kind === 'none') return {}
    if (credential.kind === 'session') return { authorization: `OAuth ${credential.uuid}` }
    if (credential.kind === 'message') {
      const { pathname, search } = new URL(this.url + path)
      return signMessage(credential, { method, path: pathname, query: search || '?', body }, this.#clock.now())
    }
    const date = new Date(this.#clock.now()).toUTCString()
    const text = `${method}\n${date}\n${path.split('?')[0]}`
    const signature = createHmac('sha1', credential.secret).update(text).digest('base64')
    return { date, authorization: `Service ${credential.id}:${signature}` }
  }
}

interface Message {
  readonly method: string
  readonly path: string
  readonly query: string
  readonly body?: string | undefined
}

/** The headers of a signed message; `nonce` is random unless it is given. */
export function signMessage(
  { id, key }: { id: string; key: string | KeyObject },
  { method, path, query, body }: Message,
  now: number,
  nonce: string = randomUUID(),
): Record<string, string> {
  const digest = body === undefined ? {} : { 'content-digest': `sha-256=:${hash('sha256', body, 'base64')}:` }
  const covered: Record<string, string> = { '@method': method, '@path': path, '@query': query, ...digest }
  const names = Object.keys(covered).map((name) => `"${name}"`)
  const alg = typeof key === 'string' ? 'hmac-sha256' : 'ed25519'
  const input = `(${names.join(' ')});created=${Math.floor(now / 1000)};keyid="${id}";alg="${alg}";nonce="${nonce}"`
  const lines = Object.entries({ ...covered, '@signature-params': input }).map(([name, value]) => `"${name}": ${value}`)
  const base = lines.join('\n')
  const signature =
    typeof key === 'string'
      ? createHmac('sha256', key).update(base).digest('base64')
      : sign(null, Buffer.from(base), key).toString('base64')
  return { ...digest, 'signature-input': `sig1=${input}`, signature: `sig1=:${signature}:` }
}
