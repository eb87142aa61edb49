import type { HostDriver } from '../hosts/driver.ts'

export interface Pair {
  readonly from: string
  readonly to: string
}

/** Every node must reach every other one. */
const orderedPairs = (nodes: readonly string[]): Pair[] =>
  nodes.flatMap((from) => nodes.filter((to) => to !== from).map((to) => ({ from, to })))

/** The same options as the package's programs: no password and no prompt, also for an unknown host key. */
export const ssh = (to: string, ...command: string[]): [string, ...string[]] => [
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

/** Directly from the first node, and from the others through the first. The arguments are addresses, so nothing needs quoting. */
const commandOf = ({ from, to }: Pair, first: string): [string, ...string[]] =>
  from === first ? ssh(to, 'true') : ssh(from, ...ssh(to, 'true'))

/** The last line that a program printed, or its exit code. */
export const failureReason = (lines: readonly string[], exitCode: number): string =>
  lines.at(-1)?.slice(0, 200) ?? `exit code ${exitCode}`

/** Every pair that fails, not only the first, with the reason. */
export async function unreachedPairs(
  driver: HostDriver,
  [first = '', ...others]: readonly string[],
  signal: AbortSignal,
): Promise<string[]> {
  const unreached = new Set<string>()
  const attempt = async (pair: Pair): Promise<string[]> => {
    const name = `${pair.from} → ${pair.to}`
    if (unreached.has(pair.from)) return [`${name} (not tried: ${first} does not reach ${pair.from})`]
    const lines: string[] = []
    const { exitCode } = await driver.run(commandOf(pair, first), { signal, onLine: (line) => lines.push(line) })
    if (exitCode === 0) return []
    if (pair.from === first) unreached.add(pair.to)
    return [`${name} (${failureReason(lines, exitCode)})`]
  }
  const all = orderedPairs([first, ...others])
  const direct = await Promise.all(all.filter(({ from }) => from === first).map(attempt))
  const relayed = await Promise.all(all.filter(({ from }) => from !== first).map(attempt))
  return [...direct, ...relayed].flat()
}
