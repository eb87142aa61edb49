import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { ServerProcess, UploadServer, uploadProgram } from '@wharf/testkit'
import { compare, type Figure, reach } from './measure.ts'

const run = promisify(execFile)
const MiB = 1024 * 1024
const fileBytes = 1024 * MiB
const client = fileURLToPath(new URL('upload-client.ts', import.meta.url))

/** `upload://` of 1 GiB in slices of 64 MiB, spooled and hashed, against md5sum; and what it holds in memory. */
export async function upload(rounds: number): Promise<Figure[]> {
  const folder = mkdtempSync(join(tmpdir(), 'wharf-bench-'))
  const environment = { WHARF_DATA: join(folder, 'data'), WHARF_PORT: '0' }
  const file = join(folder, 'file')
  const md5 = await writeFile(file)
  const server = new ServerProcess(environment, uploadProgram)

  /** MiB per second of `count` uploads at once. */
  const send = async (count: number, watch: (rssMiB: number) => void = () => {}): Promise<number> => {
    const paths = await openUploads(environment, count, md5)
    await server.start()
    const origin = /http:\/\/\S+/.exec(server.stdout)?.[0]
    const timer = setInterval(() => watch(rssMiBOf(server.pid)), 50)
    try {
      const { stdout } = await run(process.execPath, [client, file, ...paths.map((path) => `${origin}${path}`)])
      return (count * fileBytes) / MiB / Number(stdout)
    } finally {
      clearInterval(timer)
      await server.stop()
      await removeUploads(environment)
    }
  }
  const md5sum = async (): Promise<number> => {
    const began = performance.now()
    await run('md5sum', [file])
    return fileBytes / MiB / ((performance.now() - began) / 1000)
  }
  const rssOf = (count: number) => async (): Promise<number> => {
    let peak = 0
    await send(count, (rss) => {
      peak = Math.max(peak, rss)
    })
    return peak
  }
  try {
    await md5sum()
    const about = { name: 'upload:// of 1 GiB, hashed', unit: 'MiB/s', peer: 'md5sum of the file', aim: 0.75 }
    const memory = { unit: 'MiB RSS', aim: 300, atMost: true }
    return [
      await compare(about, rounds, () => send(1), md5sum),
      await reach({ name: 'peak while 1 upload of 1 GiB runs', ...memory }, 1, rssOf(1)),
      await reach({ name: 'peak while 8 uploads of 1 GiB run', ...memory }, 1, rssOf(8)),
    ]
  } finally {
    await server.kill()
    rmSync(folder, { recursive: true })
  }
}

/** Random bytes, told by the MD5 that uploads announce: an upload that goes wrong fails. */
async function writeFile(path: string): Promise<string> {
  const file = openSync(path, 'w')
  for (let written = 0; written < fileBytes; written += 16 * MiB) writeSync(file, randomBytes(16 * MiB))
  closeSync(file)
  const { stdout } = await run('md5sum', [path])
  return stdout.slice(0, 32)
}

async function openUploads(environment: Record<string, string>, count: number, md5: string): Promise<string[]> {
  const server = await UploadServer.open(environment)
  const opened = []
  for (let index = 0; index < count; index++) opened.push(await server.openUpload({ size: fileBytes, md5 }))
  await server.close()
  return opened.map(({ url }) => new URL(url).pathname + new URL(url).search)
}

/** Every one must have finished. */
async function removeUploads(environment: Record<string, string>): Promise<void> {
  const server = await UploadServer.open(environment)
  const rows = await server.database.read.selectFrom('uploads').select(['id', 'state']).execute()
  for (const { id, state } of rows) {
    if (state !== 'Finished') throw new Error(`an upload is ${state}`)
    await server.uploads.removeSpool(id)
  }
  await server.close()
}

const rssMiBOf = (pid: number): number =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024
