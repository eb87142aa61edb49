/** What one template may take. */
export const templateLimits = {
  /** As long as the API takes it. */
  templateLength: 8192,
  /** Of processor time, of its thread: a busy machine makes no template a bad one. */
  renderMs: 100,
  /** Liquid looks at the time between its tags only: a filter that does not come back ends with its thread. */
  cutOffMs: 200,
  /** By the clock, whatever the thread says. */
  stopMs: 10_000,
  outputBytes: 16 * 1024,
  /** Characters and list items that filters and ranges may make. */
  memory: 1_000_000,
  heapMegabytes: 64,
} as const
