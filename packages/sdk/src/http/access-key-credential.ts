import type { CorrectedClock } from '../clock.ts'
import type { Credential } from './credentials.ts'
import { bytesOf, privateKeySigner, type Signer, secretSigner, signMessage, toBase64 } from './message-signer.ts'

/** How calls are signed: `rfc9421` covers the whole call, `service` method, date and path. */
export type SignatureScheme = 'service' | 'rfc9421'

export type AccessKey =
  | {
      readonly id: string
      readonly secret: string
      /** Default: rfc9421, or service if the server is too old for that. */
      readonly scheme?: SignatureScheme | undefined
    }
  /** For a key that was created with a public key: the private one in PEM (PKCS #8). */
  | { readonly id: string; readonly privateKey: string }

/** `word` is the scheme in the Authorization header; a given one selects `service`. */
export function accessKeyCredential(key: AccessKey, clock: CorrectedClock, word?: string): Credential {
  if ('privateKey' in key) return messageCredential(key.id, privateKeySigner(key.privateKey), clock)
  const service = serviceCredential(key, clock, word)
  if (key.scheme === 'service' || (word !== undefined && key.scheme === undefined)) return service
  const message = messageCredential(key.id, secretSigner(key.secret), clock)
  return key.scheme === undefined ? withFallback(message, service) : message
}

/** A server of version 1.0 sees no credential in a call that is signed by RFC 9421. */
function withFallback(message: Credential, service: Credential): Credential {
  let current = message
  return {
    headers: (request) => current.headers(request),
    async recover(refusal, used, request) {
      const isUnknown = used.authorization === undefined && refusal.code === 'ID.1001'
      if (isUnknown) current = service
      return isUnknown || current.recover(refusal, used, request)
    },
  }
}

/** The server adds its time when it refuses the date of a signature. */
const serverTime = /within (?:15 minutes|300 seconds) of (\w{3}, \d{2} \w{3} \d{4} \d{2}:\d{2}:\d{2} GMT)/

function correctClock(clock: CorrectedClock, details: string): boolean {
  const time = serverTime.exec(details)?.[1]
  if (time !== undefined) clock.correct(Date.parse(time))
  return time !== undefined
}

/** The path that the server received: a proxy may have removed a prefix. */
const receivedPath = /the signature must cover the path (\S+)/

function messageCredential(id: string, signer: Signer, clock: CorrectedClock): Credential {
  /** Replaces the prefix of the address, once the server has reported another one. */
  let prefix: string | undefined
  const prefixOf = ({ url, path }: { url: string; path: string }): string =>
    prefix ?? new URL(url).pathname.slice(0, -new URL(path, url).pathname.length)
  return {
    headers(request) {
      const { method, url, body } = request
      const { search } = new URL(url)
      const path = prefixOf(request) + new URL(request.path, url).pathname
      return signMessage(id, signer, { method, path, query: search, body, now: clock.now() })
    },
    async recover({ code, details }, _used, request) {
      if (code !== 'ID.1000') return false
      const received = receivedPath.exec(details)?.[1]
      const { pathname } = new URL(request.path, request.url)
      if (received === undefined || !received.endsWith(pathname)) return correctClock(clock, details)
      const other = received.slice(0, -pathname.length)
      if (other === prefixOf(request)) return false
      prefix = other
      return true
    },
  }
}

/** Uses X-Date because browsers do not let a page set Date. */
const serviceCredential = (
  { id, secret }: { id: string; secret: string },
  clock: CorrectedClock,
  word = 'Service',
): Credential => ({
  async headers({ method, path }) {
    const date = new Date(clock.now()).toUTCString()
    return { 'x-date': date, authorization: `${word} ${id}:${await sign(secret, method, date, path)}` }
  },
  recover: async ({ code, details }) => code === 'ID.1000' && correctClock(clock, details),
})

/** Base64 of HMAC-SHA1 over method, date and path, one per line. The path begins with `/v1` and has no query. */
async function sign(secret: string, method: string, date: string, path: string): Promise<string> {
  const key = await crypto.subtle.importKey('raw', bytesOf(secret), { name: 'HMAC', hash: 'SHA-1' }, false, ['sign'])
  return toBase64(await crypto.subtle.sign('HMAC', key, bytesOf(`${method}\n${date}\n${path}`)))
}
