import { once } from 'node:events'
import { connect, isIP, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import { ApiError } from '@wharf/platform/api-error.ts'
import type { Cidr } from '@wharf/platform/cidr.ts'
import { allowedAddress } from './addresses.ts'
import { failureMessage } from './failure-message.ts'
import {
  admittedAddresses,
  type HostAddress,
  hostOf,
  type Resolve,
  refusedAddress,
  systemResolve,
} from './host-addresses.ts'
import { trustWith } from './trusted-roots.ts'

export interface ConnectionOptions {
  readonly signal: AbortSignal
  /** Networks that are allowed although the rules refuse them: WHARF_DOWNLOAD_ALLOW. */
  readonly allow: readonly Cidr[]
  /** Roots to trust besides the usual ones: WHARF_CA_FILE. */
  readonly caFile?: string | undefined
  readonly resolve?: Resolve
  /** For name resolution, connection and TLS together. */
  readonly connectTimeoutMs?: number
}

const standardConnectTimeoutMs = 10_000

/** The delay before the next address of a name is tried. */
const nextAddressMs = 2000

/**
 * A connection, including TLS, over which nothing was sent yet. A refused address is never connected to; the address of
 * the connection counts, whatever DNS returns before or afterwards.
 */
export async function openConnection(url: URL, options: ConnectionOptions): Promise<Socket> {
  const { signal, connectTimeoutMs = standardConnectTimeoutMs } = options
  signal.throwIfAborted()
  const limit = AbortSignal.timeout(connectTimeoutMs)
  try {
    return await connectTo(url, { ...options, signal: AbortSignal.any([signal, limit]) })
  } catch (cause) {
    signal.throwIfAborted()
    if (cause instanceof ApiError) throw cause
    const why = limit.aborted ? `there was no connection within ${connectTimeoutMs / 1000} s` : failureMessage(cause)
    throw new ApiError('SYS.1015', `cannot connect to ${url.origin}: ${why}`, { cause })
  }
}

async function connectTo(url: URL, options: ConnectionOptions): Promise<Socket> {
  const { signal, allow, caFile, resolve = systemResolve } = options
  const isEncrypted = url.protocol === 'https:'
  const secureContext = isEncrypted && caFile !== undefined ? trustWith(caFile) : undefined
  const addresses = await admittedAddresses(url, { allow, resolve, signal })
  const place = { host: hostOf(url), port: Number(url.port || (isEncrypted ? 443 : 80)) }
  const plain = await established(connect({ ...place, ...inTurn(addresses) }), 'connect', signal)
  const { remoteAddress = '' } = plain
  if (!allowedAddress(remoteAddress, allow)) {
    plain.destroy()
    throw refusedAddress(url, remoteAddress, allow)
  }
  if (!isEncrypted) return plain
  const tls = connectTls({
    ...(secureContext ? { secureContext } : {}),
    socket: plain,
    host: place.host,
    // RFC 6066: a name without its last dot, and never an address
    servername: isIP(place.host) ? '' : place.host.replace(/\.$/, ''),
    ALPNProtocols: ['http/1.1'],
    // explicit, because the environment could disable it
    rejectUnauthorized: true,
  })
  return established(tls, 'secureConnect', signal)
}

/** Connects to these addresses, one after another, and to no others. */
const inTurn = (addresses: HostAddress[]) => ({
  lookup: (_name: string, _options: unknown, done: (error: null, addresses: HostAddress[]) => void) =>
    done(null, addresses),
  autoSelectFamily: true,
  autoSelectFamilyAttemptTimeout: nextAddressMs,
})

/** The socket when it is ready; it is destroyed on a failure. */
async function established<S extends Socket>(socket: S, ready: string, signal: AbortSignal): Promise<S> {
  // an error between two owners of the socket must not end the process; the next one finds the socket closed
  socket.on('error', () => {})
  try {
    await once(socket, ready, { signal })
    return socket
  } catch (error) {
    socket.destroy()
    throw error
  }
}
