import { networkInterfaces } from 'node:os'
import { admittedAddresses, type HostAddress, systemResolve } from '@wharf/downloads/host-addresses.ts'
import { ApiError, invalid } from '@wharf/platform/api-error.ts'
import { canonicalHost } from '@wharf/platform/canonical-host.ts'
import { type Cidr, contains, parseAddress, parseCidr } from '@wharf/platform/cidr.ts'

export interface ComponentAccess {
  /** Networks that are exempt from the address rules: WHARF_DOWNLOAD_ALLOW. */
  readonly allow: readonly Cidr[]
  /** Only an administrator may query the machine of the server, because other callers could probe its services. */
  readonly mayReachThisMachine: boolean
  readonly signal: AbortSignal
}

const ownAddress =
  'an address of the machine of this server, which is reached only when WHARF_DOWNLOAD_ALLOW admits it, or for an admin'

export const loopback = ['127.0.0.0/8', '::1/128'].flatMap((text) => parseCidr(text) ?? [])

/** The networks that the guard of a connection admits for this caller. */
export const allowedNetworks = ({ allow, mayReachThisMachine }: ComponentAccess): readonly Cidr[] =>
  mayReachThisMachine ? [...allow, ...loopback] : allow

/**
 * The addresses that may be connected to. A name is resolved only here, so that a later DNS answer cannot change them;
 * empty when DNS has no address for it.
 */
export async function componentAddresses(managementIp: string, access: ComponentAccess): Promise<HostAddress[]> {
  const { allow, mayReachThisMachine, signal } = access
  const admitted = await addressesAdmitted(urlOf('https', managementIp, 443), allowedNetworks(access), signal)
  if (mayReachThisMachine) return admitted
  const elsewhere = admitted.filter(({ address }) => isIn(allow, address) || !isOwnAddress(address))
  if (elsewhere.length === 0 && admitted[0] !== undefined)
    throw forbidden(`leads to ${admitted[0].address}: ${ownAddress}`)
  return elsewhere
}

async function addressesAdmitted(url: URL, allow: readonly Cidr[], signal: AbortSignal): Promise<HostAddress[]> {
  try {
    return await admittedAddresses(url, { allow, resolve: systemResolve, signal })
  } catch (error) {
    signal.throwIfAborted()
    // a forbidden address is an error of the caller
    if (error instanceof ApiError) throw forbidden(error.message.replace(/^url /, ''))
    return []
  }
}

const forbidden = (why: string): ApiError => invalid(`params.managementIp ${why}`)

export const isIn = (networks: readonly Cidr[], ip: string): boolean => {
  const address = parseAddress(ip)
  return address !== undefined && networks.some((network) => contains(network, address))
}

/** A service that listens on all addresses is reachable at each of them. */
function isOwnAddress(ip: string): boolean {
  const key = canonicalHost(ip)
  return Object.values(networkInterfaces()).some((all) => all?.some(({ address }) => canonicalHost(address) === key))
}

export function urlOf(scheme: 'https' | 'http', managementIp: string, port: number): URL {
  const host = managementIp.includes(':') ? `[${managementIp}]` : managementIp
  return new URL(`${scheme}://${host}:${port}/health`)
}
