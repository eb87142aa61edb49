import type { HostDriver } from '../hosts/driver.ts'
import { ApiError } from '../platform/api-error.ts'

export interface Pair {
  readonly from: string
  readonly to: string
}

/** Every node must reach every other one. */
export const orderedPairs = (nodes: readonly string[]): Pair[] =>
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
  const failed = await Promise.all(
    orderedPairs([first, ...others]).map(async (pair) => {
      const said: string[] = []
      const { exitCode } = await driver.run(argvOf(pair, first), { signal, onLine: (line) => said.push(line) })
      return exitCode === 0
        ? []
        : [`${pair.from} → ${pair.to} (${said.at(-1)?.slice(0, 200) ?? `exit code ${exitCode}`})`]
    }),
  )
  const pairs = failed.flat()
  if (pairs.length > 0)
    throw new ApiError(
      'ClusterPlugin.1003',
      `these nodes cannot reach each other by SSH without a password: ${pairs.join('; ')}`,
    )
}

/** Is this one of the machine's own addresses? */
export async function requireOwnAddress(driver: HostDriver, address: string, signal: AbortSignal): Promise<void> {
  const { exitCode } = await driver.run(
    [
      'sh',
      '-c',
      'ip -o addr show 2>/dev/null | grep -qwF -- "inet $1" || ip -o addr show | grep -qwF -- "inet6 $1"',
      'wharf',
      address,
    ],
    { signal },
  )
  if (exitCode !== 0)
    throw new ApiError(
      'SYS.1007',
      `updateClusterConfig.managementIp ${address} is no address of the host that the software package is on`,
    )
}
