import { createHmac } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ServerProcess } from '@wharf/testkit'
import { rssMiBOf } from '../big-file.ts'
import { requestsPerCpuSecond } from '../load.ts'
import type { Curve } from './curve.ts'

const path = '/v1/errorcode/elaborations'

/** What a signed call costs, and what the server holds in memory, after so many of them. */
export async function callCurves(counts: readonly number[]): Promise<Curve[]> {
  const folder = mkdtempSync(join(tmpdir(), 'wharf-bench-'))
  const server = new ServerProcess({ WHARF_DATA: folder, WHARF_PORT: '0', WHARF_LOG_LEVEL: 'warn' })
  const costs: { count: number; value: number }[] = []
  const memory: { count: number; value: number }[] = []
  try {
    await server.start()
    // once for the compiler's sake
    await requestsPerCpuSecond(server.pid, ...signedCall(server), 5000)
    let made = 0
    for (const count of counts) {
      const rate = await requestsPerCpuSecond(server.pid, ...signedCall(server), count - made)
      made = count
      costs.push({ count, value: 1e6 / rate })
      memory.push({ count, value: rssMiBOf(server.pid) })
    }
  } finally {
    await server.kill()
    rmSync(folder, { recursive: true })
  }
  const of = 'calls so far'
  return [
    {
      name: 'calls',
      title: 'A signed call',
      of,
      unit: 'µs of CPU',
      lines: [{ name: 'of the calls since the last point', points: costs }],
    },
    {
      name: 'memory',
      title: 'Memory of the server',
      of,
      unit: 'MiB RSS',
      lines: [{ name: 'afterwards', points: memory }],
    },
  ]
}

/** Anew for each part: a signature is good for a quarter of an hour. */
function signedCall({
  bootstrap: { url, accessKeyId, accessKeySecret },
}: ServerProcess): [string, Record<string, string>] {
  const date = new Date().toUTCString()
  const signature = createHmac('sha1', accessKeySecret).update(`GET\n${date}\n${path}`).digest('base64')
  return [`${url}${path}?code=JOB.1001`, { date, authorization: `Service ${accessKeyId}:${signature}` }]
}
