import type { HostDriver } from '../hosts/driver.ts'
import { ApiError } from '../platform/api-error.ts'
import { parseAddress } from '../platform/cidr.ts'

export interface Pair {
  readonly from: string
  readonly to: string
}

/** Every node must reach every other one. */
const orderedPairs = (nodes: readonly string[]): Pair[] =>
  nodes.flatMap((from) => nodes.filter((to) => to !== from).map((to) => ({ from, to })))

/** As the package's programs will do it: without a password and without a question, not even about an unknown host key. */
const ssh = (to: string, ...command: string[]): string[] => [
  'ssh',
  '-o',
  'BatchMode=yes',
  '-o',
  'ConnectTimeout=5',
  '-o',
  'LogLevel=ERROR',
  '--',
  to,
  ...command,
]

/** From the first node on its own; from another one by way of the first. Addresses only, so no shell has to be feared. */
const argvOf = ({ from, to }: Pair, first: string): readonly [string, ...string[]] =>
  (from === first ? ssh(to, 'true') : ssh(from, ...ssh(to, 'true'))) as [string, ...string[]]

/** Throws with every pair that fails, not only the first. */
export async function requireReach(
  driver: HostDriver,
  [first = '', ...others]: readonly string[],
  signal: AbortSignal,
): Promise<void> {
  const unreached = new Set<string>()
  const attempt = async (pair: Pair): Promise<string[]> => {
    const name = `${pair.from} → ${pair.to}`
    if (unreached.has(pair.from)) return [`${name} (not tried: ${first} does not reach ${pair.from})`]
    const said: string[] = []
    const { exitCode } = await driver.run(argvOf(pair, first), { signal, onLine: (line) => said.push(line) })
    if (exitCode === 0) return []
    if (pair.from === first) unreached.add(pair.to)
    return [`${name} (${said.at(-1)?.slice(0, 200) ?? `exit code ${exitCode}`})`]
  }
  const all = orderedPairs([first, ...others])
  const own = await Promise.all(all.filter(({ from }) => from === first).map(attempt))
  const further = await Promise.all(all.filter(({ from }) => from !== first).map(attempt))
  const pairs = [...own, ...further].flat()
  if (pairs.length > 0)
    throw new ApiError(
      'ClusterPlugin.1003',
      `these nodes cannot reach each other by SSH without a password: ${pairs.join('; ')}`,
    )
}

/** Is this one of the machine's own addresses? */
export async function requireOwnAddress(driver: HostDriver, address: string, signal: AbortSignal): Promise<void> {
  const own: (string | undefined)[] = []
  const { exitCode } = await driver.run(['ip', '-o', 'addr', 'show'], {
    signal,
    onLine: (line) => own.push(/\sinet6?\s+([^\s/]+)/.exec(line)?.[1]),
  })
  if (exitCode !== 0)
    throw new ApiError(
      'ClusterPlugin.1002',
      `the program ip (package iproute2) did not tell the host's addresses: exit code ${exitCode}`,
    )
  // as addresses, since an IPv6 one may be written in many ways
  const wanted = parseAddress(address)
  const isOwn = own.some((text) => {
    const found = parseAddress(text ?? '')
    return found !== undefined && found.family === wanted?.family && found.value === wanted.value
  })
  if (!isOwn)
    throw new ApiError(
      'SYS.1007',
      `updateClusterConfig.managementIp ${address} is no address of the host that the software package is on`,
    )
}
