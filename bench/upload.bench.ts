import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { ServerProcess } from '@wharf/testkit'
import { createServerProcess, temporaryFolder } from './bench-server.ts'
import { fileBytes, rateOf, run, writeBigFile } from './big-file.ts'
import { compare, type Figure, reach } from './measure.ts'
import { openUpload } from './open-upload.ts'
import { rssMiBOf } from './process-usage.ts'

const client = fileURLToPath(new URL('./upload-client.ts', import.meta.url))

/** `upload://` of 1 GiB in slices of 64 MiB until the package is stored, compared with md5sum; and its peak memory. */
export async function upload(rounds: number): Promise<Figure[]> {
  await using cleanup = new AsyncDisposableStack()
  const folder = temporaryFolder(cleanup)
  const server = createServerProcess(cleanup, join(folder, 'data'))
  const file = join(folder, 'file')
  const known = `size=${fileBytes}&md5=${await writeBigFile(file)}`
  await server.start()
  mkdirSync(join(folder, 'packages'))

  const send = async (count: number): Promise<number> => {
    const paths = Array.from({ length: count }, (_, index) => join(folder, 'packages', `file-${index}`))
    const packages = await Promise.all(paths.map((path) => openUpload(server, path, known)))
    const begin = await startClient(
      file,
      packages.map(({ address }) => address),
    )
    const rate = await rateOf(async () => {
      await begin()
      await Promise.all(packages.map(({ uuid }) => waitUntilStored(server, uuid)))
    }, count * fileBytes)
    for (const { uuid } of packages) await server.admin.delete(`/v1/software-package/${uuid}`)
    return rate
  }
  const peakOf = (count: number) => async (): Promise<number> => {
    let peak = 0
    const timer = setInterval(() => {
      peak = Math.max(peak, rssMiBOf(server.pid))
    }, 50)
    try {
      await send(count)
    } finally {
      clearInterval(timer)
    }
    return peak
  }
  const md5sum = (): Promise<number> => rateOf(() => run('md5sum', [file]))
  await md5sum()
  const about = { name: 'upload:// of 1 GiB to this node, hashed', unit: 'MiB/s', peer: 'md5sum of the file' }
  const memory = { unit: 'MiB RSS', aim: 220, atMost: true }
  return [
    await compare({ ...about, aim: 0.95 }, rounds, () => send(1), md5sum),
    await reach({ name: 'peak while 1 upload of 1 GiB runs', ...memory }, rounds, peakOf(1)),
    await reach({ name: 'peak while 8 uploads of 1 GiB run', ...memory }, rounds, peakOf(8)),
  ]
}

/** Returns a function that lets the started client send: the start of its program is not part of an upload. */
async function startClient(file: string, addresses: readonly string[]): Promise<() => Promise<void>> {
  const child = spawn(process.execPath, [client, file, ...addresses], { stdio: ['pipe', 'pipe', 'inherit'] })
  const ended = once(child, 'close')
  await Promise.race([once(child.stdout, 'data'), ended])
  return async () => {
    child.stdin.end('begin\n')
    const [code] = await ended
    if (code !== 0) throw new Error(`the client ended with ${code}`)
  }
}

async function waitUntilStored(server: ServerProcess, uuid: string): Promise<void> {
  for (let tries = 0; tries < 10_000; tries++) {
    const { body } = await server.admin.get(`/v1/software-package/${uuid}`)
    const [{ status } = { status: '' }] = body.inventories as { status: string }[]
    if (status === 'Uploaded') return
    if (status !== 'Uploading') throw new Error(`the package is ${status}`)
    await delay(10)
  }
  throw new Error('the package does not arrive')
}
