/** The limits of one template. */
export const templateLimits = {
  /** The limit of the API. */
  templateLength: 8192,
  /** Processor time of its thread, so that a busy machine does not fail a template. */
  renderMs: 100,
  /** Liquid checks the time only between tags; the thread of a filter that does not return is terminated. */
  cutOffMs: 200,
  /** Elapsed time, independent of the thread. */
  stopMs: 10_000,
  outputBytes: 16 * 1024,
  /** Characters and list items that filters and ranges may create. */
  memory: 1_000_000,
  heapMegabytes: 64,
} as const
