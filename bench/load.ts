import { readFileSync } from 'node:fs'
import autocannon from 'autocannon'

const ticksPerSecond = 100

/** CPU seconds that a process has used so far, all its threads together. */
function cpuSeconds(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
  return (Number(fields[11]) + Number(fields[12])) / ticksPerSecond
}

/**
 * Requests that a server answers per second of its own CPU time: what one core would do.
 * Time on the clock would measure whatever else the machine is doing.
 */
export async function requestsPerCpuSecond(
  pid: number,
  url: string,
  headers: Record<string, string>,
  amount = 10_000,
): Promise<number> {
  const before = cpuSeconds(pid)
  const result = await autocannon({ url, headers, connections: 16, amount })
  const used = cpuSeconds(pid) - before
  if (result.non2xx > 0 || result.errors > 0)
    throw new Error(`${result.non2xx} answers were not 200, ${result.errors} errors`)
  return result['2xx'] / used
}
