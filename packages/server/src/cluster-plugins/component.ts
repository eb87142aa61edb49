import type { ConnectionOptions } from '../downloads/connection.ts'
import { guardedRequest } from '../downloads/guarded-request.ts'
import { ApiError, invalid } from '../platform/api-error.ts'
import { type Cidr, parseCidr } from '../platform/cidr.ts'

/** A component that does not answer in this time has not accepted the token. */
export const answerMs = 5000

export const refused = (why: string): ApiError =>
  new ApiError('ClusterPlugin.1001', `the component did not accept the adminToken: ${why}`)

interface Component {
  readonly managementIp: string
  readonly apiPort: number
  readonly token: string
}

/** A component may well run on this machine, beside its manager. */
const thisMachine = ['127.0.0.0/8', '::1/128'].flatMap((text) => parseCidr(text) ?? [])

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
      const status = await statusOf(url, token, { signal: inTime, allow: [...allow, ...thisMachine], caFile })
      if (status >= 200 && status < 300) return
      // it has spoken: in the clear it would say the same
      throw refused(`${url.origin} answered ${status}`)
    } catch (error) {
      signal.throwIfAborted()
      if (inTime.aborted) throw refused(`${url.origin} did not answer within ${answerMs / 1000} s`)
      if (!(error instanceof ApiError)) throw error
      // an address that may not be asked is the caller's mistake
      if (error.code === 'SYS.1007') throw invalid(error.message.replace(/^url /, 'params.managementIp '))
      if (error.code !== 'SYS.1015') throw error
      // it speaks TLS, so the token does not go to it in the clear
      if (speaksTls(error.cause)) throw refused(error.message)
      failures.push(error.message)
    }
  }
  throw refused(failures.at(-1) ?? 'it does not answer')
}

/** What Node calls every fault of a certificate, and what the other side says before it hangs up. */
const speaksTls = (cause: unknown): boolean =>
  /CERT|LEAF_SIGNATURE|_ALERT_|UNSUPPORTED_PROTOCOL/.test(String((cause as { code?: unknown } | undefined)?.code))

async function statusOf(url: URL, token: string, options: ConnectionOptions): Promise<number> {
  const headers = { authorization: `Bearer ${token}` }
  const { response } = await guardedRequest(url, { ...options, headers, staysHere: true })
  response.destroy()
  return response.statusCode ?? 0
}
