export interface SignedRequest {
  readonly method: string
  /** Starts with `/v1` and includes the query string. */
  readonly path: string
  readonly date: string
}

/** Method, date and path, one per line; the query is not signed. */
export const textToSign = ({ method, path, date }: SignedRequest): string =>
  `${method}\n${date}\n${path.split('?', 1)[0]}`

/** Base64 of HMAC-SHA1. Browsers provide it only over https or on localhost. */
export async function signatureOf(text: string, secret: string): Promise<string> {
  const bytes = (words: string) => new TextEncoder().encode(words)
  const algorithm = { name: 'HMAC', hash: 'SHA-1' }
  const key = await crypto.subtle.importKey('raw', bytes(secret), algorithm, false, ['sign'])
  return btoa(String.fromCharCode(...new Uint8Array(await crypto.subtle.sign('HMAC', key, bytes(text)))))
}

export const canSign = (): boolean => globalThis.crypto?.subtle !== undefined

/** Within single quotes a shell interprets only the quote. */
const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`

export function curlLine(
  { method, path, date }: SignedRequest,
  { server, authorization, body }: { server: string; authorization: string; body: string },
): string {
  const hasBody = body !== '' && (method === 'POST' || method === 'PUT')
  return [
    `curl -X ${method} ${quoted(`${server.replace(/\/$/, '')}${path}`)}`,
    `-H ${quoted(`Date: ${date}`)}`,
    `-H ${quoted(`Authorization: ${authorization}`)}`,
    ...(hasBody ? [`-H 'Content-Type: application/json'`, `-d ${quoted(body)}`] : []),
  ].join(' \\\n  ')
}

/** The server rejects requests whose date differs more from its time. */
const maxAgeMs = 15 * 60_000

/** The server rejects a stale or invalid date. */
export const isStale = (date: string, now: number): boolean => {
  const at = Date.parse(date)
  return Number.isNaN(at) || Math.abs(now - at) > maxAgeMs
}

/** The authorization scheme; WHARF_AUTH_SCHEMES can set others. */
export const defaultScheme = 'Service'

export const isScheme = (word: string): boolean => /^[A-Za-z][A-Za-z0-9-]*$/.test(word)
