import { guardedRequest } from '../downloads/guarded-request.ts'
import { ApiError } from '../platform/api-error.ts'
import type { Cidr } from '../platform/cidr.ts'

/** A component that does not answer in this time has not accepted the token. */
const answerMs = 5000

const refused = (why: string): ApiError =>
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
  const headers = { authorization: `Bearer ${token}` }
  const failures: string[] = []
  for (const scheme of ['https', 'http']) {
    try {
      const url = new URL(`${scheme}://${host}:${apiPort}/health`)
      const options = { signal: inTime, allow, headers, idleTimeoutMs: answerMs, ...(caFile ? { caFile } : {}) }
      const { response } = await guardedRequest(url, options)
      response.destroy()
      const { statusCode = 0 } = response
      if (statusCode >= 200 && statusCode < 300) return
      // it has spoken: in the clear it would say the same
      throw refused(`${url.origin} answered ${statusCode}`)
    } catch (error) {
      signal.throwIfAborted()
      if (!(error instanceof ApiError) || error.code === 'ClusterPlugin.1001') throw error
      // an address that may not be asked is the caller's mistake
      if (error.code === 'SYS.1007') throw error
      failures.push(error.message)
    }
  }
  throw refused(failures.at(-1) ?? 'it does not answer')
}
