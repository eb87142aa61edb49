import { guardedRequest, type RequestOptions } from '@wharf/downloads/guarded-request.ts'
import type { HostAddress } from '@wharf/downloads/host-addresses.ts'
import { ApiError } from '@wharf/platform/api-error.ts'
import type { Cidr } from '@wharf/platform/cidr.ts'
import { allowedNetworks, type ComponentAccess, componentAddresses, isIn, loopback, urlOf } from './component-access.ts'

/** A component that does not answer in this time has not accepted the token. */
export const answerTimeoutMs = 5000

export const tokenRefused = (why: string): ApiError =>
  new ApiError('ClusterPlugin.1001', `the component did not accept the adminToken: ${why}`)

interface Component {
  readonly managementIp: string
  readonly apiPort: number
  readonly token: string
}

interface Options extends ComponentAccess {
  /** Networks whose components may get the token without TLS: WHARF_COMPONENT_HTTP. */
  readonly plainHttp: readonly Cidr[]
  readonly caFile?: string | undefined
}

/** Queries the component over TLS, and unencrypted only where that is allowed and it does not use TLS. */
export async function requireTokenAccepted(component: Component, options: Options): Promise<void> {
  const { signal } = options
  const deadline = AbortSignal.any([signal, AbortSignal.timeout(answerTimeoutMs)])
  try {
    await queryHealth(component, { ...options, signal: deadline })
  } catch (error) {
    signal.throwIfAborted()
    const { managementIp, apiPort } = component
    const { origin } = urlOf('https', managementIp, apiPort)
    if (deadline.aborted) throw tokenRefused(`${origin} did not answer within ${answerTimeoutMs / 1000} s`)
    throw error
  }
}

async function queryHealth({ managementIp, apiPort, token }: Component, options: Options): Promise<void> {
  const { signal, caFile, plainHttp } = options
  const addresses = await componentAddresses(managementIp, options)
  const common = { signal, caFile, allow: allowedNetworks(options), headers: { authorization: `Bearer ${token}` } }
  const overTls = urlOf('https', managementIp, apiPort)
  const error = await requireSuccess(overTls, { ...common, resolve: async () => addresses })
  if (error === undefined) return
  if (!isPlainTextAnswer(error.cause)) throw tokenRefused(error.message)
  const isPlain = ({ address }: HostAddress): boolean => isIn([...loopback, ...plainHttp], address)
  if (!addresses.every(isPlain))
    throw tokenRefused(
      `${overTls.origin} does not speak TLS, and the token is not sent unencrypted; enable TLS there, or add its network to WHARF_COMPONENT_HTTP`,
    )
  const plain = urlOf('http', managementIp, apiPort)
  const plainError = await requireSuccess(plain, { ...common, resolve: async () => addresses })
  if (plainError) throw tokenRefused(plainError.message)
}

/** The failure of the connection or of the request; a status other than success is thrown as the answer of the component. */
async function requireSuccess(url: URL, options: RequestOptions): Promise<ApiError | undefined> {
  try {
    const { response } = await guardedRequest(url, { ...options, staysHere: true })
    response.destroy()
    const { statusCode = 0 } = response
    if (statusCode >= 200 && statusCode < 300) return undefined
    throw tokenRefused(`${url.origin} answered ${statusCode}`)
  } catch (error) {
    if (error instanceof ApiError && error.code === 'SYS.1015') return error
    throw error
  }
}

/**
 * The peer answered the TLS handshake with other bytes. A connection that is refused, reset or silent does not count, because
 * an attacker on the path can cause it to receive the token.
 */
const isPlainTextAnswer = (cause: unknown): boolean =>
  /^ERR_SSL_(WRONG_VERSION_NUMBER|PACKET_LENGTH_TOO_LONG)$/.test(
    String((cause as { code?: unknown } | undefined)?.code),
  )
