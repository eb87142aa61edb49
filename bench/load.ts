import autocannon from 'autocannon'
import { cpuSecondsOf } from './process-usage.ts'

/** The end is noticed only at a sample; in between the server would rest. */
export const sampleInt = 10

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
  const result = await autocannon({ url, headers, connections: 16, amount, sampleInt })
  const used = cpuSecondsOf(pid) - before
  if (result.non2xx > 0 || result.errors > 0)
    throw new Error(`${result.non2xx} answers were not 200, ${result.errors} errors`)
  return result['2xx'] / used
}
