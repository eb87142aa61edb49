import { canonicalHost } from '@wharf/platform/canonical-host.ts'
import { parseAddress } from '@wharf/platform/cidr.ts'
import type { HostDriver } from '../hosts/driver.ts'
import { failureReason, ssh } from './ssh-reachability.ts'

/** The PATH of a non-interactive session may lack the sbin folders. */
const ipCommand: [string, ...string[]] = [
  'env',
  'PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
  'ip',
  '-o',
  'addr',
  'show',
  'up',
]

/** The exit code of ssh when it could not connect. */
const sshFailureExitCode = 255

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
  const { exitCode } = await driver.run(node === undefined ? ipCommand : ssh(node, ...ipCommand), { signal, onLine })
  if (exitCode === 0) return { addresses }
  return { failure: failureReason(lines, exitCode), isUnreached: node !== undefined && exitCode === sshFailureExitCode }
}

/** An IPv6 address has several notations. */
export function hasAddress(addresses: readonly string[], wanted: string): boolean {
  const key = canonicalHost(wanted)
  return addresses.some((one) => canonicalHost(one) === key)
}
