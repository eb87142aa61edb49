/** The limits of the templates of one configuration. */
export const configLimits = {
  templateLength: 8192,
  /** Of a rendered configuration; as for the configuration of one package. */
  outputBytes: 128 * 1024,
  /** Characters and list items that filters and ranges may create, for one host. */
  memory: 1_000_000,
  /** Hosts of one task of the thread. */
  hostsAtOnce: 200,
  /** Processor time of one task. */
  cpuMs: 2000,
  /** Elapsed time of one task, independent of the thread. */
  wallMs: 20_000,
  heapMegabytes: 128,
} as const
