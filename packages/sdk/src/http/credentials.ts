import type { CorrectedClock } from '../clock.ts'
import type { WharfError } from '../error.ts'

export interface AccessKey {
  readonly id: string
  readonly secret: string
}

export type Login =
  | { readonly accountName: string; readonly password: string }
  | {
      readonly accountName?: string
      readonly accountUuid?: string
      readonly userName: string
      readonly password: string
    }

/** Authenticates requests. */
export interface Credential {
  headers(method: string, path: string): Promise<Record<string, string>>
  /** After a 401: true when a repeated request may succeed. */
  recover(refusal: WharfError, used: Record<string, string>): Promise<boolean>
}

export const anonymous: Credential = { headers: async () => ({}), recover: async () => false }

const sessionHeader = (uuid: string) => ({ authorization: `OAuth ${uuid}` })

export const sessionCredential = (uuid: string): Credential => ({
  ...anonymous,
  headers: async () => sessionHeader(uuid),
})

/** Returns the uuid of a session; `ended` is the one that the server no longer accepts. */
export type SessionSource = (ended?: string) => Promise<string>

/** Gets a session with the first request, and again when it has ended; concurrent requests share one attempt. */
export function renewableCredential(getSession: SessionSource): Credential {
  let current: Promise<string> | undefined
  const renew = (ended?: string): Promise<string> => {
    const attempt = getSession(ended)
    current = attempt
    // waiting requests receive the failure; the next request tries again
    attempt.catch(() => {
      if (current === attempt) current = undefined
    })
    return attempt
  }
  return {
    headers: async () => sessionHeader(await (current ?? renew())),
    async recover({ code }, used) {
      if (code !== 'ID.1001') return false
      const ended = current && (await current)
      if (ended !== undefined && sessionHeader(ended).authorization === used.authorization) await renew(ended)
      return true
    },
  }
}

/** The server adds its time when it refuses the date of a signature. */
const serverTime = /within 15 minutes of (\w{3}, \d{2} \w{3} \d{4} \d{2}:\d{2}:\d{2} GMT)/

/** Uses X-Date because browsers do not let a page set Date. */
export const accessKeyCredential = (
  { id, secret }: AccessKey,
  clock: CorrectedClock,
  scheme = 'Service',
): Credential => ({
  async headers(method, path) {
    const date = new Date(clock.now()).toUTCString()
    return { 'x-date': date, authorization: `${scheme} ${id}:${await sign(secret, method, date, path)}` }
  },
  async recover({ code, details }) {
    const time = code === 'ID.1000' ? serverTime.exec(details)?.[1] : undefined
    if (time !== undefined) clock.correct(Date.parse(time))
    return time !== undefined
  },
})

const bytesOf = (text: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(text)

/** Base64 of HMAC-SHA1 over method, date and path, one per line. The path begins with `/v1` and has no query. */
async function sign(secret: string, method: string, date: string, path: string): Promise<string> {
  const key = await crypto.subtle.importKey('raw', bytesOf(secret), { name: 'HMAC', hash: 'SHA-1' }, false, ['sign'])
  const signature = await crypto.subtle.sign('HMAC', key, bytesOf(`${method}\n${date}\n${path}`))
  return btoa(String.fromCharCode(...new Uint8Array(signature)))
}
