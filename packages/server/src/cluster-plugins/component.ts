import type { ConnectionOptions } from '../downloads/connection.ts'
import { guardedRequest } from '../downloads/guarded-request.ts'
import { ApiError } from '../platform/api-error.ts'
import type { Cidr } from '../platform/cidr.ts'

/** A component that does not answer in this time has not accepted the token. */
export const answerMs = 5000

export const refused = (why: string): ApiError =>
  new ApiError('ClusterPlugin.1001', `the component did not accept the adminToken: ${why}`)

interface Component {
  readonly managementIp: string
  readonly apiPort: number
  readonly token: string
}

/** Asks the component itself: over TLS where it speaks it, else in the clear. */
export async function requireAccepted(
  { managementIp, apiPort, token }: Component,
  { allow, caFile, signal }: { allow: readonly Cidr[]; caFile?: string | undefined; signal: AbortSignal },
): Promise<void> {
  const host = managementIp.includes(':') ? `[${managementIp}]` : managementIp
  const inTime = AbortSignal.any([signal, AbortSignal.timeout(answerMs)])
  const failures: string[] = []
  for (const scheme of ['https', 'http']) {
    const url = new URL(`${scheme}://${host}:${apiPort}/health`)
    try {
      const status = await statusOf(url, token, { signal: inTime, allow, caFile })
      if (status >= 200 && status < 300) return
      // it has spoken: in the clear it would say the same
      throw refused(`${url.origin} answered ${status}`)
    } catch (error) {
      signal.throwIfAborted()
      if (inTime.aborted) throw refused(`${url.origin} did not answer within ${answerMs / 1000} s`)
      // an address that may not be asked is the caller's mistake
      if (!(error instanceof ApiError) || error.code !== 'SYS.1015') throw error
      // it speaks TLS, so the token does not go to it in the clear
      if (isUntrusted(error.cause)) throw refused(error.message)
      failures.push(error.message)
    }
  }
  throw refused(failures.at(-1) ?? 'it does not answer')
}

/** What Node calls every fault of a certificate. */
const isUntrusted = (cause: unknown): boolean =>
  /CERT|LEAF_SIGNATURE/.test(String((cause as { code?: unknown } | undefined)?.code))

async function statusOf(url: URL, token: string, options: ConnectionOptions): Promise<number> {
  const headers = { authorization: `Bearer ${token}` }
  const { response } = await guardedRequest(url, { ...options, headers, staysHere: true })
  response.destroy()
  return response.statusCode ?? 0
}
