import { readdirSync, readFileSync } from 'node:fs'

const ticksPerSecond = 100

/**
 * CPU seconds that the threads of a process have used so far. To the nanosecond, where /proc/PID/stat counts hundredths
 * of a second, which a hundred calls do not fill; but a thread that has ended counts no more.
 */
export function cpuSecondsOf(pid: number): number {
  const threads = readdirSync(`/proc/${pid}/task`)
  return threads.reduce((sum, id) => sum + nanosecondsOf(`/proc/${pid}/task/${id}/schedstat`), 0) / 1e9
}

function nanosecondsOf(file: string): number {
  try {
    return Number(readFileSync(file, 'utf8').split(' ')[0])
  } catch {
    return 0
  }
}

/** What it has in memory now, what it shares with others included. */
export const rssMiBOf = (pid: number): number =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024

/** What it has allocated itself: without the pages of a mapped database, which the system can reclaim at any time. */
export const allocatedMiBOf = (pid: number): number =>
  Number(/RssAnon:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024

/** The most that it has had in memory; 0 when it has ended. */
export function peakMiBOf(pid: number): number {
  try {
    return Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024
  } catch {
    return 0
  }
}

interface Proc {
  readonly pid: number
  readonly parent: number
  readonly ownSeconds: number
  /** Of children that have ended. */
  readonly endedSeconds: number
}

/** A process and all that it has started, as far as they run. */
export interface TreeUsage {
  /** Of the process itself, all its threads together. */
  readonly ownCpuSeconds: number
  /** With everything that it has started, ended or not. */
  readonly cpuSeconds: number
  readonly processes: number
  /** What is shared counts for each of those who share it by its part only. */
  readonly ownBytes: number
  readonly bytes: number
  readonly ownDescriptors: number
}

export function usageOf(pid: number): TreeUsage {
  const all = readdirSync('/proc').flatMap((name) => (/^\d+$/.test(name) ? (read(Number(name)) ?? []) : []))
  const own = all.find((one) => one.pid === pid)
  if (own === undefined) throw new Error(`process ${pid} has ended`)
  const family = [own]
  for (const one of family) family.push(...all.filter(({ parent }) => parent === one.pid))
  const others = family.slice(1)
  return {
    ownCpuSeconds: own.ownSeconds,
    cpuSeconds: family.reduce((sum, { ownSeconds, endedSeconds }) => sum + ownSeconds + endedSeconds, 0),
    processes: others.length,
    ownBytes: bytesOf(pid),
    bytes: family.reduce((sum, one) => sum + bytesOf(one.pid), 0),
    ownDescriptors: readdirSync(`/proc/${pid}/fd`).length,
  }
}

function read(pid: number): Proc | undefined {
  try {
    // behind the name, which may have blanks: state, parent, …
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ').map(Number) ?? []
    const [, parent = 0] = fields
    const seconds = (from: number): number => ((fields[from] ?? 0) + (fields[from + 1] ?? 0)) / ticksPerSecond
    return { pid, parent, ownSeconds: seconds(11), endedSeconds: seconds(13) }
  } catch {
    return undefined
  }
}

/** The proportional set size. */
function bytesOf(pid: number): number {
  try {
    const [, kib] = /^Pss:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8')) ?? []
    return Number(kib ?? 0) * 1024
  } catch {
    return 0
  }
}
