import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'

export interface ProcessUsage {
  readonly residentMiB: number
  readonly descriptors: number
}

/** What a process holds at this moment, as Linux tells it. */
export function usageOf(pid: number): ProcessUsage {
  const [, kilobytes = ''] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
  return { residentMiB: Number(kilobytes) / 1024, descriptors: readdirSync(`/proc/${pid}/fd`).length }
}

const pollMs = 100
const stablePolls = 5
const maxPolls = 150

/** How many descriptors it holds once they have been the same for a while: those of closed connections go. */
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
