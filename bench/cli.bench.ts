import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createServerProcess, temporaryFolder } from './bench-server.ts'
import { rateOf, run, writeBigFile } from './big-file.ts'
import { compare, type Figure, reach } from './measure.ts'

const wharf = fileURLToPath(new URL('../bin/wharf', import.meta.url))

/** The CLI: the duration of its help, and an upload of 1 GiB against md5sum. */
export async function cli(rounds: number): Promise<Figure[]> {
  await using cleanup = new AsyncDisposableStack()
  const folder = temporaryFolder(cleanup)
  const data = join(folder, 'data')
  const file = join(folder, 'file')
  const env = { PATH: process.env.PATH, HOME: folder, WHARF_DATA: data }
  const help = async (): Promise<number> => {
    const began = performance.now()
    await run(wharf, ['--help'], { env })
    return performance.now() - began
  }
  const upload = async (): Promise<number> => {
    const target = ['--host', 'this-node', '--path', join(folder, 'packages', 'file')]
    const rate = await rateOf(() => run(wharf, ['package', 'upload', file, '--type', 'bench', ...target], { env }))
    await run(wharf, ['package', 'delete', 'file'], { env })
    return rate
  }
  // the first run compiles
  await help()
  const helped = await reach({ name: 'wharf --help', unit: 'ms', aim: 150, atMost: true }, rounds * 4, help)
  await writeBigFile(file)
  mkdirSync(join(folder, 'packages'))
  await createServerProcess(cleanup, data).start()
  const md5sum = (): Promise<number> => rateOf(() => run('md5sum', [file]))
  await md5sum()
  const about = { name: 'wharf package upload of 1 GiB to this node', unit: 'MiB/s', peer: 'md5sum of the file' }
  return [helped, await compare({ ...about, aim: 0.7 }, rounds, upload, md5sum)]
}
