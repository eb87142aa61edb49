import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { filledServer, temporaryFolder } from './bench-server.ts'
import { rateOf, run, writeBigFile } from './big-file.ts'
import { fillHosts } from './data.ts'
import { compare, type Figure, reach } from './measure.ts'
import { signed } from './sign-in.ts'

const wharf = fileURLToPath(new URL('../bin/wharf', import.meta.url))

const hostCount = 1000
const hostsPath = '/v1/hosts'

/** The CLI: the duration of its help and of a list, compared with curl, and an upload of 1 GiB against md5sum. */
export async function cli(rounds: number): Promise<Figure[]> {
  await using cleanup = new AsyncDisposableStack()
  const folder = temporaryFolder(cleanup)
  // the server has a host already
  const server = await filledServer(cleanup, (database) => fillHosts(database, hostCount - 1))
  const file = join(folder, 'file')
  const env = { PATH: process.env.PATH, HOME: folder, WHARF_DATA: server.environment.WHARF_DATA }
  const millisecondsOf = async (program: string, args: string[]): Promise<number> => {
    const began = performance.now()
    await run(program, args, { env, maxBuffer: Number.POSITIVE_INFINITY })
    return performance.now() - began
  }
  const help = () => millisecondsOf(wharf, ['--help'])
  const list = async (): Promise<number> => {
    const headers = Object.entries(signed(server, hostsPath)).flatMap(([name, value]) => ['-H', `${name}: ${value}`])
    const url = `${server.bootstrap.url}${hostsPath}?sort=%2Bname&limit=${hostCount}`
    const ofCurl = await millisecondsOf('curl', ['--silent', '--fail', ...headers, url])
    return (await millisecondsOf(wharf, ['host', 'list'])) - ofCurl
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
  await server.start()
  await list()
  const name = `wharf host list of ${hostCount.toLocaleString('en')}, more than curl of the same call`
  const listed = await reach({ name, unit: 'ms', aim: 150, atMost: true }, rounds * 4, list)
  await writeBigFile(file)
  mkdirSync(join(folder, 'packages'))
  const md5sum = (): Promise<number> => rateOf(() => run('md5sum', [file]))
  await md5sum()
  const about = { name: 'wharf package upload of 1 GiB to this node', unit: 'MiB/s', peer: 'md5sum of the file' }
  return [helped, listed, await compare({ ...about, aim: 0.7 }, rounds, upload, md5sum)]
}
