import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { ServerProcess } from '@wharf/testkit'
import { fileBytes, rateOf, rssMiBOf, run, writeBigFile } from './big-file.ts'
import { compare, type Figure, reach } from './measure.ts'

const client = fileURLToPath(new URL('upload-client.ts', import.meta.url))

/** `upload://` of 1 GiB in slices of 64 MiB until the package is there, against md5sum; and what that holds in memory. */
export async function upload(rounds: number): Promise<Figure[]> {
  const folder = mkdtempSync(join(tmpdir(), 'wharf-bench-'))
  const server = new ServerProcess({ WHARF_DATA: join(folder, 'data'), WHARF_PORT: '0' })
  const file = join(folder, 'file')
  const md5 = await writeBigFile(file)
  await server.start()
  mkdirSync(join(folder, 'packages'))

  const send = async (count: number): Promise<number> => {
    const packages = await Promise.all(Array.from({ length: count }, (_, index) => open(server, folder, md5, index)))
    const rate = await rateOf(async () => {
      await run(process.execPath, [client, file, ...packages.map(({ address }) => address)])
      await Promise.all(packages.map(({ uuid }) => arrival(server, uuid)))
    }, count * fileBytes)
    for (const { uuid } of packages) await server.admin.delete(`/v1/software-package/${uuid}`)
    return rate
  }
  const peakOf = (count: number) => async (): Promise<number> => {
    let peak = 0
    const timer = setInterval(() => {
      peak = Math.max(peak, rssMiBOf(server.pid))
    }, 50)
    await send(count)
    clearInterval(timer)
    return peak
  }
  try {
    await rateOf(() => run('md5sum', [file]))
    const about = {
      name: 'upload:// of 1 GiB to this node, hashed',
      unit: 'MiB/s',
      peer: 'md5sum of the file',
      aim: 0.75,
    }
    const memory = { unit: 'MiB RSS', aim: 300, atMost: true }
    return [
      await compare(
        about,
        rounds,
        () => send(1),
        () => rateOf(() => run('md5sum', [file])),
      ),
      await reach({ name: 'peak while 1 upload of 1 GiB runs', ...memory }, 1, peakOf(1)),
      await reach({ name: 'peak while 8 uploads of 1 GiB run', ...memory }, 1, peakOf(8)),
    ]
  } finally {
    await server.kill()
    rmSync(folder, { recursive: true })
  }
}

async function open(server: ServerProcess, folder: string, md5: string, index: number) {
  const { hostUuid, managementNodeUuid } = server.bootstrap
  const url = `upload://file?size=${fileBytes}&md5=${md5}`
  const params = { name: 'file', type: 'bench', hostUuid, managementNodeUuid, url }
  const installPath = join(folder, 'packages', `file-${index}`)
  const { body, text } = await server.admin.post('/v1/software-packages/upload', { params: { ...params, installPath } })
  const [tag] = (body.systemTags ?? []) as string[]
  if (tag === undefined) throw new Error(text)
  return { uuid: (body.inventory as { uuid: string }).uuid, address: tag.replace('uploadUrl::', '') }
}

async function arrival(server: ServerProcess, uuid: string): Promise<void> {
  for (let tries = 0; tries < 10_000; tries++) {
    const { body } = await server.admin.get(`/v1/software-package/${uuid}`)
    const [{ status } = { status: '' }] = body.inventories as { status: string }[]
    if (status === 'Uploaded') return
    if (status !== 'Uploading') throw new Error(`the package is ${status}`)
    await delay(10)
  }
}
