import {
  coveredComponents,
  formatContentDigest,
  formatSignatureInput,
  type KeyScheme,
  signatureBase,
  signatureValidSeconds,
} from '@wharf/contract'

export interface RequestToSign {
  readonly method: string
  /** Starts with `/v1` and includes the query string. */
  readonly path: string
  readonly date: string
  readonly body: string
  /** For RFC 9421: another one for each request. */
  readonly nonce: string
}

export interface SigningKey {
  readonly id: string
  /** Or the private key in PEM of a key with a public key. */
  readonly secret: string
  readonly scheme: KeyScheme
  /** The word before the key id in the Authorization header. */
  readonly word: string
}

export interface Signing {
  readonly text?: string
  /** Without a secret there is none. */
  readonly signature?: string
  readonly headers?: readonly (readonly [name: string, value: string])[]
}

export const canSign = (): boolean => globalThis.crypto?.subtle !== undefined

const hasBody = ({ method, body }: Pick<RequestToSign, 'method' | 'body'>): boolean =>
  body !== '' && (method === 'POST' || method === 'PUT')

/** What is signed, the signature and the headers that contain it. Browsers sign only over https or on localhost. */
export const signRequest = (server: string, request: RequestToSign, key: SigningKey): Promise<Signing> =>
  key.scheme === 'service' ? signService(request, key) : signMessage(server, request, key)

/** Method, date and path, one per line; the query is not signed. */
export const textToSign = ({ method, path, date }: Pick<RequestToSign, 'method' | 'path' | 'date'>): string =>
  `${method}\n${date}\n${path.split('?', 1)[0]}`

async function signService(request: RequestToSign, { id, secret, word }: SigningKey): Promise<Signing> {
  const text = textToSign(request)
  if (secret === '' || !canSign()) return { text }
  const signature = await signatureOf(text, secret, 'SHA-1')
  const headers = [
    ['Date', request.date],
    ['Authorization', `${word} ${id}:${signature}`],
  ] as const
  return { text, signature, headers }
}

/** The whole request by RFC 9421. */
async function signMessage(server: string, request: RequestToSign, { id, secret }: SigningKey): Promise<Signing> {
  const { method, path, body, date, nonce } = request
  const isCovered = hasBody(request)
  // the digest of the body is part of the text
  if (isCovered && !canSign()) return {}
  const { pathname, search } = new URL(urlOf(server, path))
  const digest = isCovered ? await contentDigest(body) : undefined
  const values: Record<string, string | undefined> = {
    '@method': method,
    '@path': pathname,
    '@query': search || '?',
    'content-digest': digest,
  }
  const components = coveredComponents(isCovered)
  const created = Math.floor(Date.parse(date) / 1000)
  const privateKey = pkcs8Of(secret)
  const alg = privateKey === undefined ? 'hmac-sha256' : 'ed25519'
  const input = formatSignatureInput(components, { created, keyid: id, alg, nonce })
  const text = signatureBase(components, input, (component) => values[component]) ?? ''
  if (secret === '' || !canSign()) return { text }
  const signature = await (privateKey === undefined
    ? signatureOf(text, secret, 'SHA-256')
    : ed25519SignatureOf(text, privateKey).catch(() => undefined))
  if (signature === undefined) return { text }
  const headers = [
    ...(digest === undefined ? [] : [['Content-Digest', digest] as const]),
    ['Signature-Input', `wharf=${input}`] as const,
    ['Signature', `wharf=:${signature}:`] as const,
  ]
  return { text, signature, headers }
}

const bytesOf = (text: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(text)
const toBase64 = (bytes: ArrayBuffer): string => btoa(String.fromCharCode(...new Uint8Array(bytes)))

/** Base64 of the HMAC. */
export async function signatureOf(text: string, secret: string, hash: 'SHA-1' | 'SHA-256'): Promise<string> {
  const key = await crypto.subtle.importKey('raw', bytesOf(secret), { name: 'HMAC', hash }, false, ['sign'])
  return toBase64(await crypto.subtle.sign('HMAC', key, bytesOf(text)))
}

/** Fails for a key that is not an Ed25519 key, and in browsers without this algorithm. */
async function ed25519SignatureOf(text: string, pkcs8: Uint8Array<ArrayBuffer>): Promise<string> {
  const key = await crypto.subtle.importKey('pkcs8', pkcs8, 'Ed25519', false, ['sign'])
  return toBase64(await crypto.subtle.sign('Ed25519', key, bytesOf(text)))
}

/** The bytes of a private key in PEM; an input field removes its line breaks. */
function pkcs8Of(secret: string): Uint8Array<ArrayBuffer> | undefined {
  const [, base64] = /^\s*-----BEGIN PRIVATE KEY-----([\w+/=\s]+)-----END PRIVATE KEY-----\s*$/.exec(secret) ?? []
  return base64 === undefined ? undefined : Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))
}

async function contentDigest(body: string): Promise<string> {
  const digest = toBase64(await crypto.subtle.digest('SHA-256', bytesOf(body)))
  return formatContentDigest({ algorithm: 'sha-256', digest })
}

export const newNonce = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('')

/** Within single quotes a shell interprets only the quote. */
const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`

const urlOf = (server: string, path: string): string => `${server.replace(/\/$/, '')}${path}`

export function curlLine(
  server: string,
  request: Pick<RequestToSign, 'method' | 'path' | 'body'>,
  headers: NonNullable<Signing['headers']>,
): string {
  const { method, path, body } = request
  return [
    `curl -X ${method} ${quoted(urlOf(server, path))}`,
    ...headers.map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`),
    ...(hasBody(request) ? [`-H 'Content-Type: application/json'`, `-d ${quoted(body)}`] : []),
  ].join(' \\\n  ')
}

/** The server rejects requests whose date differs more from its time. */
const maxAgeMs: Readonly<Record<KeyScheme, number>> = {
  service: 15 * 60_000,
  rfc9421: signatureValidSeconds * 1000,
}

/** The server rejects a stale or invalid date. */
export const isStale = (date: string, now: number, scheme: KeyScheme): boolean => {
  const at = Date.parse(date)
  return Number.isNaN(at) || Math.abs(now - at) > maxAgeMs[scheme]
}

/** The authorization scheme; WHARF_AUTH_SCHEMES can set others. */
export const defaultWord = 'Service'

export const isScheme = (word: string): boolean => /^[A-Za-z][A-Za-z0-9-]*$/.test(word)
