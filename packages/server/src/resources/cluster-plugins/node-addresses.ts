import { parseAddress } from '@wharf/platform/cidr.ts'
import type { HostDriver } from '../hosts/driver.ts'
import { canonicalHost } from './component-address.ts'
import { reasonOf, ssh } from './reach.ts'

/** A sign-in that is not interactive may lack the folders of the administrator. */
const ip: [string, ...string[]] = [
  'env',
  'PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
  'ip',
  '-o',
  'addr',
  'show',
  'up',
]

/** What ssh ends with when it could not sign in. */
const notConnected = 255

export type NodeAddresses =
  | { readonly addresses: readonly string[] }
  | { readonly failure: string; readonly isUnreached: boolean }

/** The addresses of the host itself, or of a node that the host reaches by SSH. */
export async function queryAddresses(
  driver: HostDriver,
  signal: AbortSignal,
  node: string | undefined = undefined,
): Promise<NodeAddresses> {
  const addresses: string[] = []
  const lines: string[] = []
  const onLine = (line: string): void => {
    lines.push(line)
    const [, address] = /\sinet6?\s+([^\s/]+)/.exec(line) ?? []
    if (address !== undefined && parseAddress(address)) addresses.push(address)
  }
  const { exitCode } = await driver.run(node === undefined ? ip : ssh(node, ...ip), { signal, onLine })
  if (exitCode === 0) return { addresses }
  return { failure: reasonOf(lines, exitCode), isUnreached: node !== undefined && exitCode === notConnected }
}

/** An IPv6 address may be written in many ways. */
export function hasAddress(addresses: readonly string[], wanted: string): boolean {
  const key = canonicalHost(wanted)
  return addresses.some((one) => canonicalHost(one) === key)
}
