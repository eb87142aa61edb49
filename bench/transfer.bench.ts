import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { reverseCleanup, ServerProcess, startHosts, type TestHost } from '@wharf/testkit'
import { rateOf, run, writeBigTar } from './big-file.ts'
import { compare, type Figure } from './measure.ts'

/** From an address onto a host over SSH, hashed and inspected on the way, against scp of the same file. */
export async function transfer(rounds: number): Promise<Figure[]> {
  const ending: (() => Promise<void>)[] = []
  const cleanup = reverseCleanup({ after: (work) => void ending.push(work) })
  const folder = mkdtempSync(join(tmpdir(), 'wharf-bench-'))
  cleanup.after(async () => rmSync(folder, { recursive: true }))
  try {
    const [host] = await startHosts(cleanup, 1)
    if (host === undefined) throw new Error('there is no host')
    const environment = { WHARF_DATA: join(folder, 'data'), WHARF_PORT: '0', WHARF_DOWNLOAD_ALLOW: '127.0.0.0/8' }
    const server = new ServerProcess(environment)
    cleanup.after(() => server.kill())
    await server.start()
    const hostUuid = await add(server, host)
    const tar = join(folder, 'big.tar')
    await writeBigTar(tar)
    const packed = `${tar}.gz`
    await run('sh', ['-c', 'gzip -1 -c "$1" >"$2"', 'sh', tar, packed])

    const figureOf = async (file: string, name: string, aim?: number): Promise<Figure> => {
      const { size } = statSync(file)
      const url = `${await serve(file, cleanup)}/${name}`
      const ship = async (): Promise<number> => {
        const jobUuid = await begin(server, hostUuid, url)
        const rate = await rateOf(() => transferred(server, jobUuid), size)
        await cleanUp(server, host, jobUuid)
        return rate
      }
      const copy = async (): Promise<number> => {
        const rate = await rateOf(() => copied(host, file), size)
        await host.exec('rm -f /tmp/scp-copy')
        return rate
      }
      const peer = 'scp of the same file'
      return compare(
        { name: `URL to SSH host, 1 GiB ${name}`, unit: 'MiB/s', peer, ...(aim ? { aim } : {}) },
        rounds,
        ship,
        copy,
      )
    }
    return [await figureOf(tar, 'plain.tar', 0.7), await figureOf(packed, 'packed.tar.gz')]
  } finally {
    for (const work of ending) await work()
  }
}

/** Its address. */
async function serve(file: string, cleanup: { after(work: () => Promise<void>): void }): Promise<string> {
  const child = spawn('perl', [fileURLToPath(new URL('source.pl', import.meta.url)), file])
  cleanup.after(async () => void child.kill())
  const [port] = (await once(child.stdout, 'data')) as [Buffer]
  return `http://127.0.0.1:${String(port).trim()}`
}

async function add(server: ServerProcess, { address, port, username, privateKey }: TestHost): Promise<string> {
  const params = { name: 'host', driver: 'ssh', address, sshPort: port, username, privateKey }
  const { body, text } = await server.admin.post('/v1/hosts', { params })
  if (!body.success) throw new Error(text)
  return (body.inventory as { uuid: string }).uuid
}

async function begin(server: ServerProcess, hostUuid: string, url: string): Promise<string> {
  const { managementNodeUuid } = server.bootstrap
  const params = { name: 'big', type: 'bench', hostUuid, managementNodeUuid, url, installPath: '/tmp/wharf-bench/big' }
  const { body } = await server.admin.post('/v1/software-packages/upload', { params }, { prefer: 'respond-async' })
  return /api-jobs\/(\w+)/.exec(String(body.location))?.[1] ?? ''
}

const jobOf = async (server: ServerProcess, uuid: string) => (await server.admin.get(`/v1/api-jobs/${uuid}`)).body

/** What comes behind, unpacking it there, scp does not do. */
async function transferred(server: ServerProcess, jobUuid: string): Promise<void> {
  for (let tries = 0; tries < 100_000; tries++) {
    const { currentStep, error } = (await jobOf(server, jobUuid)) as { currentStep?: string; error?: object }
    if (error) throw new Error(JSON.stringify(error))
    if (currentStep === 'unpack' || currentStep === undefined) return
    await delay(100)
  }
}

async function cleanUp(server: ServerProcess, host: TestHost, jobUuid: string): Promise<void> {
  let inventory: { uuid: string } | undefined
  while (inventory === undefined) {
    await delay(50)
    inventory = (await jobOf(server, jobUuid)).inventory as typeof inventory
  }
  await server.admin.delete(`/v1/software-package/${inventory.uuid}`)
  await host.exec('rm -rf /tmp/wharf-bench')
}

async function copied(host: TestHost, file: string): Promise<void> {
  const { address, port, username, privateKeyPath } = host
  const trust = ['-o', 'StrictHostKeyChecking=no', '-o', 'UserKnownHostsFile=/dev/null', '-o', 'LogLevel=ERROR']
  await run('scp', ['-i', privateKeyPath, '-P', String(port), ...trust, file, `${username}@${address}:/tmp/scp-copy`])
}
