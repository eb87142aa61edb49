export interface SignedRequest {
  readonly method: string
  /** From `/v1` on, with what stands behind the question mark. */
  readonly path: string
  readonly date: string
}

/** Method, date and path, one per line; the query is not signed. */
export const textToSign = ({ method, path, date }: SignedRequest): string =>
  `${method}\n${date}\n${path.split('?', 1)[0]}`

/** Base64 of HMAC-SHA1. Browsers have it only on pages that come over https or from this machine. */
export async function signatureOf(text: string, secret: string): Promise<string> {
  const bytes = (words: string) => new TextEncoder().encode(words)
  const algorithm = { name: 'HMAC', hash: 'SHA-1' }
  const key = await crypto.subtle.importKey('raw', bytes(secret), algorithm, false, ['sign'])
  return btoa(String.fromCharCode(...new Uint8Array(await crypto.subtle.sign('HMAC', key, bytes(text)))))
}

export const canSign = (): boolean => globalThis.crypto?.subtle !== undefined

/** In single quotes a shell reads nothing but the quote itself. */
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

/** How far the date of a call may be from the time of the server. */
const maxAgeMs = 15 * 60_000

/** Whether the server would refuse a call for its date; what is no date at all it refuses as well. */
export const isStale = (date: string, now: number): boolean => {
  const at = Date.parse(date)
  return Number.isNaN(at) || Math.abs(now - at) > maxAgeMs
}

/** The word before the key id; a server may be set to take others. */
export const defaultScheme = 'Service'

export const isScheme = (word: string): boolean => /^[A-Za-z][A-Za-z0-9-]*$/.test(word)
