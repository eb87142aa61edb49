import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { type ServerProcess, startHosts, type TestHost } from '@wharf/testkit'
import { createServerProcess, temporaryFolder } from './bench-server.ts'
import { rateOf, run, writeBigTar } from './big-file.ts'
import { compare, type Figure } from './measure.ts'
import { copyWithScp, scpCopy } from './peers/scp.ts'

/** The poll interval, which is the error of the measurement. */
const pollMs = 50
const maxTransferMs = 600_000

interface Peer {
  readonly name: string
  readonly aim: number
  /** Work beside the copy. */
  meanwhile?(file: string): Promise<unknown>
}

/**
 * From a URL to a host over SSH, hashed and inspected in transit, against scp of the same file. A compressed one is also
 * unpacked, by both.
 */
export async function transfer(rounds: number): Promise<Figure[]> {
  await using cleanup = new AsyncDisposableStack()
  const folder = temporaryFolder(cleanup)
  const [host] = await startHosts({ after: (work) => cleanup.defer(work) }, 1)
  if (host === undefined) throw new Error('no host was started')
  const server = createServerProcess(cleanup, join(folder, 'data'), { WHARF_DOWNLOAD_ALLOW: '127.0.0.0/8' })
  await server.start()
  const hostUuid = await add(server, host)
  const tar = join(folder, 'big.tar')
  await writeBigTar(tar)
  const packed = `${tar}.gz`
  await run('sh', ['-c', 'gzip -1 -c "$1" >"$2"', 'sh', tar, packed])

  const figureOf = async (file: string, name: string, peer: Peer): Promise<Figure> => {
    const { size } = statSync(file)
    const url = `${await serve(cleanup, file)}/${name}`
    const ship = async (): Promise<number> => {
      let jobUuid = ''
      const rate = await rateOf(async () => {
        jobUuid = await startUpload(server, hostUuid, url)
        await waitForTransfer(server, jobUuid)
      }, size)
      await cleanUp(server, host, jobUuid)
      return rate
    }
    const copy = async (): Promise<number> => {
      const rate = await rateOf(() => Promise.all([copyWithScp(host, file), peer.meanwhile?.(file)]), size)
      await host.exec(`rm -f ${scpCopy}`)
      return rate
    }
    const about = { name: `URL to SSH host, 1 GiB ${name}`, unit: 'MiB/s', peer: peer.name, aim: peer.aim }
    return compare(about, rounds, ship, copy)
  }
  const scp = { name: 'scp of the same file', aim: 0.95 }
  const scpAndGzip = {
    name: 'scp of the same file and gzip -t of it at the same time',
    aim: 0.9,
    meanwhile: (file: string) => run('gzip', ['-t', file]),
  }
  return [await figureOf(tar, 'plain.tar', scp), await figureOf(packed, 'packed.tar.gz', scpAndGzip)]
}

/** Its address. */
async function serve(cleanup: AsyncDisposableStack, file: string): Promise<string> {
  const child = spawn('perl', [fileURLToPath(new URL('peers/source.pl', import.meta.url)), file])
  cleanup.defer(() => void child.kill())
  const [port] = (await once(child.stdout, 'data')) as [Buffer]
  return `http://127.0.0.1:${String(port).trim()}`
}

async function add(server: ServerProcess, { address, port, username, privateKey }: TestHost): Promise<string> {
  const params = { name: 'host', driver: 'ssh', address, sshPort: port, username, privateKey }
  const { body, text } = await server.admin.post('/v1/hosts', { params })
  if (!body.success) throw new Error(text)
  return (body.inventory as { uuid: string }).uuid
}

async function startUpload(server: ServerProcess, hostUuid: string, url: string): Promise<string> {
  const { managementNodeUuid } = server.bootstrap
  const params = { name: 'big', type: 'bench', hostUuid, managementNodeUuid, url, installPath: '/tmp/wharf-bench/big' }
  const call = await server.admin.post('/v1/software-packages/upload', { params }, { prefer: 'respond-async' })
  const [, uuid] = /api-jobs\/(\w+)/.exec(String(call.body.location)) ?? []
  if (uuid === undefined) throw new Error(call.text)
  return uuid
}

interface SeenJob {
  readonly currentStep?: string
  readonly inventory?: { readonly uuid: string }
  readonly error?: object | null
}

/** Polls the job until the condition is met. */
async function waitForJob(server: ServerProcess, uuid: string, isReached: (job: SeenJob) => boolean): Promise<SeenJob> {
  for (let waited = 0; waited < maxTransferMs; waited += pollMs) {
    const job = (await server.admin.get(`/v1/api-jobs/${uuid}`)).body as SeenJob
    if (job.error) throw new Error(JSON.stringify(job.error))
    if (isReached(job)) return job
    await delay(pollMs)
  }
  throw new Error('the transfer does not end')
}

/** The later steps, such as unpacking, have no counterpart in scp. */
const waitForTransfer = (server: ServerProcess, jobUuid: string): Promise<SeenJob> =>
  waitForJob(server, jobUuid, ({ currentStep }) => currentStep === 'unpack' || currentStep === undefined)

async function cleanUp(server: ServerProcess, host: TestHost, jobUuid: string): Promise<void> {
  const { inventory } = await waitForJob(server, jobUuid, (job) => job.inventory !== undefined)
  await server.admin.delete(`/v1/software-package/${inventory?.uuid}`)
  await host.exec('rm -rf /tmp/wharf-bench')
}
