import { readdirSync, readFileSync } from 'node:fs'

/** An sshd and those that it started for its connections, the listener first. */
export function sshdProcesses(listener: number): number[] {
  const parents = new Map<number, number[]>()
  for (const name of readdirSync('/proc')) {
    const pid = Number(name)
    const parent = Number.isInteger(pid) ? parentOfSshd(pid) : undefined
    if (parent !== undefined) parents.set(parent, [...(parents.get(parent) ?? []), pid])
  }
  const family = [listener]
  for (const pid of family) family.push(...(parents.get(pid) ?? []))
  return family
}

export const signalAll = (pids: readonly number[], signal: NodeJS.Signals): void => {
  for (const pid of pids) {
    try {
      process.kill(pid, signal)
    } catch {
      // it has ended meanwhile
    }
  }
}

function parentOfSshd(pid: number): number | undefined {
  try {
    // pid (name) state parent …
    const match = /^\d+ \(sshd.*?\) \S (\d+)/.exec(readFileSync(`/proc/${pid}/stat`, 'utf8'))
    return match === null ? undefined : Number(match[1])
  } catch {
    return undefined
  }
}
