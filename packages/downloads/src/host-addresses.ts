import { lookup } from 'node:dns/promises'
import { isIP } from 'node:net'
import { untilAborted } from '@wharf/platform/abort.ts'
import { type ApiError, invalid } from '@wharf/platform/api-error.ts'
import type { Cidr } from '@wharf/platform/cidr.ts'
import { refusalOf } from './addresses.ts'

export interface HostAddress {
  readonly address: string
  readonly family: number
}

/** All addresses of a name, best first. */
export type Resolve = (name: string) => Promise<readonly HostAddress[]>

export const systemResolve: Resolve = (name) => lookup(name, { all: true, order: 'verbatim' })

/** The host of an address as a name or a bare IP address. */
export const hostOf = (url: URL): string => url.hostname.replace(/^\[|\]$/g, '')

/** The allowed addresses of the host; at least one. */
export async function admittedAddresses(
  url: URL,
  { allow, resolve, signal }: { allow: readonly Cidr[]; resolve: Resolve; signal: AbortSignal },
): Promise<HostAddress[]> {
  const host = hostOf(url)
  const family = isIP(host)
  const found = family === 0 ? await untilAborted(signal, resolve(host)) : [{ address: host, family }]
  const [first] = found
  if (first === undefined) throw Object.assign(new Error(`${host} has no address`), { code: 'ENODATA' })
  const admitted = found.filter(({ address }) => refusalOf(address, allow) === undefined)
  if (admitted.length === 0) throw refusedAddress(url, first.address, allow)
  return admitted
}

export function refusedAddress(url: URL, address: string, allow: readonly Cidr[]): ApiError {
  const place = hostOf(url) === address ? address : `${url.hostname}, that is ${address}`
  const rule = `${refusalOf(address, allow)}, which is reached only when WHARF_DOWNLOAD_ALLOW admits it`
  return invalid(`url leads to ${place}: ${rule}`)
}
