import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { ServerProcess } from '@wharf/testkit'
import { rateOf, run, writeBigFile } from './big-file.ts'
import { compare, type Figure, reach } from './measure.ts'

const wharf = fileURLToPath(new URL('../bin/wharf', import.meta.url))

/** The command as people call it: how long its help takes, and an upload of 1 GiB against md5sum. */
export async function cli(rounds: number): Promise<Figure[]> {
  const folder = mkdtempSync(join(tmpdir(), 'wharf-bench-'))
  const server = new ServerProcess({ WHARF_DATA: join(folder, 'data'), WHARF_PORT: '0' })
  const file = join(folder, 'file')
  const env = { PATH: process.env.PATH, HOME: folder, WHARF_DATA: join(folder, 'data') }
  const help = async (): Promise<number> => {
    const began = performance.now()
    await run(wharf, ['--help'], { env })
    return performance.now() - began
  }
  const upload = async (): Promise<number> => {
    const path = join(folder, 'packages', 'file')
    const rate = await rateOf(() =>
      run(wharf, ['package', 'upload', file, '--type', 'bench', '--host', 'this-node', '--path', path], { env }),
    )
    await run(wharf, ['package', 'delete', 'file'], { env })
    return rate
  }
  try {
    // the first one compiles
    await help()
    const started = { name: 'wharf --help', unit: 'ms', aim: 150, atMost: true }
    const helped = await reach(started, rounds * 4, help)
    await writeBigFile(file)
    mkdirSync(join(folder, 'packages'))
    await server.start()
    const md5sum = (): Promise<number> => rateOf(() => run('md5sum', [file]))
    await md5sum()
    const about = {
      name: 'wharf package upload of 1 GiB to this node',
      unit: 'MiB/s',
      peer: 'md5sum of the file',
      aim: 0.7,
    }
    return [helped, await compare(about, rounds, upload, md5sum)]
  } finally {
    await server.kill()
    rmSync(folder, { recursive: true })
  }
}
