import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'

export interface ProcessUsage {
  readonly residentMiB: number
  readonly descriptors: number
}

/** The current resident memory and descriptors of a process. */
export function usageOf(pid: number): ProcessUsage {
  const [, kilobytes = ''] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
  return { residentMiB: Number(kilobytes) / 1024, descriptors: readdirSync(`/proc/${pid}/fd`).length }
}

const pollMs = 100
const stablePolls = 5
const maxPolls = 150

/** The number of descriptors once it is stable: those of closed connections are released. */
export async function settledDescriptors(pid: number): Promise<number> {
  let { descriptors } = usageOf(pid)
  for (let same = 0, polls = 0; same < stablePolls && polls < maxPolls; polls++) {
    await delay(pollMs)
    const now = usageOf(pid).descriptors
    same = now === descriptors ? same + 1 : 0
    descriptors = now
  }
  return descriptors
}
