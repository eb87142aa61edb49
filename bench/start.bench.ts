import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ServerProcess } from '@wharf/testkit'
import { fillHosts } from './data.ts'
import { type Figure, reach } from './measure.ts'

/** From the start of the process to ready, with a million rows in the database. */
export async function start(rounds: number): Promise<Figure[]> {
  const folder = mkdtempSync(join(tmpdir(), 'wharf-bench-'))
  const server = new ServerProcess({ WHARF_DATA: folder, WHARF_PORT: '0' })
  try {
    await server.start()
    await server.stop()
    fillHosts(join(folder, 'wharf.db'), 1_000_000)
    const round = async (): Promise<number> => {
      const ms = await server.start()
      await server.stop()
      return ms
    }
    const about = { name: 'start to ready with 1,000,000 rows', unit: 'ms', aim: 1000, atMost: true }
    return [await reach(about, rounds, round)]
  } finally {
    await server.kill()
    rmSync(folder, { recursive: true })
  }
}
