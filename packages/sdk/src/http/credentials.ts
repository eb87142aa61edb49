import type { CorrectedClock } from '../clock.ts'
import type { WharfError } from '../error.ts'
import { sign } from './signature.ts'

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

/** What proves who is calling. */
export interface Credential {
  headers(method: string, path: string): Promise<Record<string, string>>
  /** After a refusal: true when the same call may pass now. */
  mend(refusal: WharfError, used: Record<string, string>): Promise<boolean>
}

export const nobody: Credential = { headers: async () => ({}), mend: async () => false }

const sessionHeader = (uuid: string) => ({ authorization: `OAuth ${uuid}` })

export const session = (uuid: string): Credential => ({ ...nobody, headers: async () => sessionHeader(uuid) })

/** Signs in when the first call needs it, once for all that wait, and again when the session has ended. */
export function signingIn(logIn: () => Promise<string>): Credential {
  let current: Promise<string> | undefined
  const renew = (): Promise<string> => {
    const attempt = logIn()
    current = attempt
    // a failure is told to those who waited; the next call tries again
    attempt.catch(() => {
      if (current === attempt) current = undefined
    })
    return attempt
  }
  return {
    headers: async () => sessionHeader(await (current ?? renew())),
    async mend({ code }, used) {
      if (code !== 'ID.1001') return false
      const isStale = current !== undefined && sessionHeader(await current).authorization === used.authorization
      if (isStale) await renew()
      return true
    },
  }
}

/** What the server adds to its refusal when the date is the reason. */
const serverTime = /within 15 minutes of (\w{3}, \d{2} \w{3} \d{4} \d{2}:\d{2}:\d{2} GMT)/

/** X-Date and not Date, which browsers do not let a page set. */
export const signing = ({ id, secret }: AccessKey, clock: CorrectedClock, scheme = 'Service'): Credential => ({
  async headers(method, path) {
    const date = new Date(clock.now()).toUTCString()
    return { 'x-date': date, authorization: `${scheme} ${id}:${await sign(secret, method, date, path)}` }
  },
  async mend({ code, details }) {
    const told = code === 'ID.1000' ? serverTime.exec(details)?.[1] : undefined
    if (told !== undefined) clock.correct(Date.parse(told))
    return told !== undefined
  },
})
