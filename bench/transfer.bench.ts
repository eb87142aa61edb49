import { createReadStream, mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PackageSource, reverseCleanup, ServerProcess, startHosts, type TestHost } from '@wharf/testkit'
import { rateOf, run, writeBigTar } from './big-file.ts'
import { compare, type Figure } from './measure.ts'

/** From an address onto a host over SSH, hashed, inspected and unpacked, against scp of the same file. */
export async function transfer(rounds: number): Promise<Figure[]> {
  const ending: (() => Promise<void>)[] = []
  const cleanup = reverseCleanup({ after: (work) => void ending.push(work) })
  const folder = mkdtempSync(join(tmpdir(), 'wharf-bench-'))
  cleanup.after(async () => rmSync(folder, { recursive: true }))
  try {
    const [host] = await startHosts(cleanup, 1)
    if (host === undefined) throw new Error('there is no host')
    const source = await PackageSource.start(cleanup)
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
      const url = source.serve(name, (response) => {
        response.writeHead(200, { 'content-length': size })
        createReadStream(file, { highWaterMark: 1024 * 1024 }).pipe(response)
      })
      const ship = () => rateOf(() => shipped(server, hostUuid, host, url), size)
      const copy = () => rateOf(() => copied(host, file), size)
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

async function add(server: ServerProcess, { address, port, username, privateKey }: TestHost): Promise<string> {
  const params = { name: 'host', driver: 'ssh', address, sshPort: port, username, privateKey }
  const { body, text } = await server.admin.post('/v1/hosts', { params })
  if (!body.success) throw new Error(text)
  return (body.inventory as { uuid: string }).uuid
}

async function shipped(server: ServerProcess, hostUuid: string, host: TestHost, url: string): Promise<void> {
  const { managementNodeUuid } = server.bootstrap
  const params = { name: 'big', type: 'bench', hostUuid, managementNodeUuid, url, installPath: '/tmp/wharf-bench/big' }
  const { body, text } = await server.admin.post('/v1/software-packages/upload', { params })
  if (!body.success) throw new Error(text)
  await server.admin.delete(`/v1/software-package/${(body.inventory as { uuid: string }).uuid}`)
  await host.exec('rm -rf /tmp/wharf-bench')
}

async function copied(host: TestHost, file: string): Promise<void> {
  const { address, port, username, privateKeyPath } = host
  const trust = ['-o', 'StrictHostKeyChecking=no', '-o', 'UserKnownHostsFile=/dev/null', '-o', 'LogLevel=ERROR']
  await run('scp', ['-i', privateKeyPath, '-P', String(port), ...trust, file, `${username}@${address}:/tmp/scp-copy`])
  await host.exec('rm -f /tmp/scp-copy')
}
