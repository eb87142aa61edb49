import type { WharfError } from '../error.ts'

export type Login =
  | { readonly accountName: string; readonly password: string }
  | {
      readonly accountName?: string
      readonly accountUuid?: string
      readonly userName: string
      readonly password: string
    }

/** What a credential may sign of a request. */
export interface SignableRequest {
  readonly method: string
  /** From `/v1`, escaped, without the query. */
  readonly path: string
  /** The whole address, with the query. */
  readonly url: string
  readonly body?: string | undefined
}

/** Authenticates requests. */
export interface Credential {
  headers(request: SignableRequest): Promise<Record<string, string>>
  /** After a 401: true when a repeated request may succeed. */
  recover(refusal: WharfError, used: Record<string, string>, request: SignableRequest): Promise<boolean>
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
