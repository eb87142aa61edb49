export interface Cleanup {
  after(work: () => Promise<void>): void
}

/** What was opened last is closed first; the hooks of node:test run in the order they were registered. */
export function reverseCleanup(t: Cleanup): Cleanup {
  const works: (() => Promise<void>)[] = []
  t.after(async () => {
    for (const work of works.reverse()) await work()
  })
  return { after: (work) => void works.push(work) }
}
