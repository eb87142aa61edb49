import { appendFileSync, existsSync, readdirSync, readFileSync } from 'node:fs'

/** `npm test -- --costs` sets it: test processes append the CPU time of each file. */
const costsFile = process.env.TEST_COSTS_FILE

/** Runs the tests of a file, and records the CPU time that this process and its descendants used meanwhile. */
export async function recordCost(name: string, work: () => Promise<void>): Promise<void> {
  if (costsFile === undefined) return work()
  const before = cpuSeconds()
  await work()
  appendFileSync(costsFile, `${(cpuSeconds() - before).toFixed(2)} ${name}\n`)
}

const mostExpensive = 20

/** One line for each of the most expensive files, and one for all. */
export function costReport(file: string): string[] {
  const lines = existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : []
  const costs = lines.map((line) => ({ line, seconds: Number.parseFloat(line) })).sort((a, b) => b.seconds - a.seconds)
  const sum = costs.reduce((total, { seconds }) => total + seconds, 0)
  return [
    `costs: ${sum.toFixed(0)} CPU seconds in ${costs.length} files, without PostgreSQL; the most expensive:`,
    ...costs.slice(0, mostExpensive).map(({ line }) => `  ${line}`),
  ]
}

const ticksPerSecond = 100

/** Of this process, its descendants, and those of them that have ended; from Linux's /proc. */
function cpuSeconds(): number {
  const processes = readdirSync('/proc').flatMap((name) => readStat(name) ?? [])
  const childrenOf = Map.groupBy(processes, ({ parent }) => parent)
  const ticksBelow = (pid: number): number =>
    (childrenOf.get(pid) ?? []).reduce((sum, child) => sum + child.ticks + ticksBelow(child.pid), 0)
  return ((readStat('self')?.ticks ?? 0) + ticksBelow(process.pid)) / ticksPerSecond
}

interface ProcessStat {
  readonly pid: number
  readonly parent: number
  /** With those of its children that have ended. */
  readonly ticks: number
}

function readStat(name: string): ProcessStat | undefined {
  if (!/^(\d+|self)$/.test(name)) return undefined
  try {
    const text = readFileSync(`/proc/${name}/stat`, 'utf8')
    // the name of the program, in parentheses, may contain spaces
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
    const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0)
    return { pid: Number.parseInt(text, 10), parent: Number(fields[1]), ticks }
  } catch {
    // it has ended
    return undefined
  }
}
