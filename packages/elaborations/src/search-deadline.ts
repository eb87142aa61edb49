import { threadCpuMs } from '@wharf/platform/bounded-thread-worker.ts'

/** A search that takes longer than its limit. */
export class SearchTimeout extends Error {
  override readonly name = 'SearchTimeout'
}

/** Checked between two patterns and between two entries; a single pattern that takes longer ends with its thread. */
export interface Deadline {
  check(): void
}

export const noDeadline: Deadline = { check: () => {} }

/** Of processor time of this thread, so that a busy machine fails no search. */
export function cpuDeadline(limitMs: number): Deadline {
  const endMs = threadCpuMs() + limitMs
  return {
    check: () => {
      if (threadCpuMs() > endMs) throw new SearchTimeout(`the search takes longer than ${limitMs} ms`)
    },
  }
}
