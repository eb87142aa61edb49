import { filledServer } from './bench-server.ts'
import { fillPackages } from './data.ts'
import { type Figure, reach } from './measure.ts'

const rows = 1_000_000

/** From the start of the process to ready, with a million packages in the database. */
export async function start(rounds: number): Promise<Figure[]> {
  await using cleanup = new AsyncDisposableStack()
  const server = await filledServer(cleanup, (file) => fillPackages(file, rows))
  const round = async (): Promise<number> => {
    const ms = await server.start()
    await server.stop()
    return ms
  }
  const about = { name: 'start to ready with 1,000,000 packages', unit: 'ms', aim: 400, atMost: true }
  return [await reach(about, rounds, round)]
}
