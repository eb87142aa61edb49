import autocannon from 'autocannon'
import { cpuSecondsOf } from './process-usage.ts'

/** autocannon ends at its next sample, which is by default a second later. */
export const sampleMs = 10

/**
 * Requests that a server answers per second of its own CPU time: what one core would do.
 * Time on the clock would measure whatever else the machine is doing.
 */
export async function requestsPerCpuSecond(
  pid: number,
  url: string,
  headers: Record<string, string>,
  amount = 4000,
): Promise<number> {
  const before = cpuSecondsOf(pid)
  const result = await autocannon({ url, headers, connections: 16, amount, sampleInt: sampleMs })
  const used = cpuSecondsOf(pid) - before
  if (result.non2xx > 0 || result.errors > 0)
    throw new Error(`${result.non2xx} answers were not 200, ${result.errors} errors`)
  return result['2xx'] / used
}
