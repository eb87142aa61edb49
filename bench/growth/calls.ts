import { createServerProcess, temporaryFolder } from '../bench-server.ts'
import { requestsPerCpuSecond } from '../load.ts'
import { rssMiBOf } from '../process-usage.ts'
import { signed } from '../sign-in.ts'
import type { Curve } from './curve.ts'

const path = '/v1/errorcode/elaborations'

/** The cost of a signed call, and the memory of the server, after this many calls. */
export async function callCurves(counts: readonly number[]): Promise<Curve[]> {
  await using cleanup = new AsyncDisposableStack()
  const server = createServerProcess(cleanup, temporaryFolder(cleanup), { WHARF_LOG_LEVEL: 'warn' })
  await server.start()
  const url = `${server.bootstrap.url}${path}?code=JOB.1001`
  // signed again for each part: a signature is good for a quarter of an hour
  const call = (amount: number) => requestsPerCpuSecond(server.pid, url, signed(server, path), amount)
  // once for the compiler's sake
  await call(5000)
  const costs: { count: number; values: number[] }[] = []
  const memory: { count: number; values: number[] }[] = []
  let made = 0
  for (const count of counts) {
    const rate = await call(count - made)
    made = count
    costs.push({ count, values: [1e6 / rate] })
    memory.push({ count, values: [rssMiBOf(server.pid)] })
  }
  const about = { of: 'calls so far', isInterleaved: false }
  return [
    {
      ...about,
      name: 'calls',
      title: 'A signed call',
      unit: 'µs of CPU',
      lines: [{ name: 'of the calls since the last point', points: costs }],
    },
    {
      ...about,
      name: 'memory',
      title: 'Memory of the server',
      unit: 'MiB RSS',
      lines: [{ name: 'afterwards', points: memory }],
    },
  ]
}
