import { createHmac } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { HostInventory } from '@wharf/contract'
import { collection } from '@wharf/server/database/query.ts'
import { fillHosts } from './data.ts'
import { requestsPerCpuSecond } from './load.ts'
import { compare, type Figure } from './measure.ts'
import { startProgram } from './processes.ts'

const rows = 100_000
const path = '/v1/hosts?limit=20'

/** Signed and session GET of 20 rows, against the same statement and bytes without anything around them. */
export async function httpQuery(rounds: number): Promise<Figure[]> {
  const folder = mkdtempSync(join(tmpdir(), 'wharf-bench-'))
  const env = { WHARF_DATA: folder, WHARF_PORT: '0', WHARF_DISCOVERY: 'none' }
  const first = await startProgram('wharf-server.ts', [], env)
  await first.stop()
  fillHosts(join(folder, 'wharf.db'), rows)
  const wharf = await startProgram('wharf-server.ts', [], env)
  const url = `http://127.0.0.1:${wharf.port}${path}`
  const { accessKeyId, accessKeySecret, password } = JSON.parse(readFileSync(join(folder, 'bootstrap.json'), 'utf8'))

  const date = new Date().toUTCString()
  const signature = createHmac('sha1', accessKeySecret).update(`GET\n${date}\n/v1/hosts`).digest('base64')
  const signed = { date, authorization: `Service ${accessKeyId}:${signature}` }
  const login = await fetch(`http://127.0.0.1:${wharf.port}/v1/accounts/login`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ logInByAccount: { accountName: 'admin', password } }),
  })
  const { inventory } = (await login.json()) as { inventory: { uuid: string } }
  const session = { authorization: `OAuth ${inventory.uuid}` }

  const body = await bytesOf(url, signed)
  const { page } = collection({ table: 'hosts', inventory: HostInventory }).statements('sqlite', { limit: 20 })
  const bare = await startProgram('bare-server.ts', [
    join(folder, 'wharf.db'),
    page?.sql ?? '',
    JSON.stringify(page?.values),
    body.toString('base64'),
  ])
  const peer = 'bare Fastify, same SQL, same bytes'
  const bareRate = (at: string) => requestsPerCpuSecond(bare.pid, `http://127.0.0.1:${bare.port}/${at}`, {})
  const measureBare = () => bareRate('rows')
  if (!body.equals(await bytesOf(`http://127.0.0.1:${bare.port}/rows`))) throw new Error('the peer sends other bytes')
  try {
    // once for the compiler's sake
    await requestsPerCpuSecond(wharf.pid, url, signed, 30_000)
    await measureBare()
    return [
      await compare(
        { name: 'signed GET of 20 rows of 100,000', unit: 'requests per CPU second', peer, aim: 0.7 },
        rounds,
        () => requestsPerCpuSecond(wharf.pid, url, signed),
        measureBare,
      ),
      await compare(
        { name: 'session GET of 20 rows of 100,000', unit: 'requests per CPU second', peer, aim: 0.75 },
        rounds,
        () => requestsPerCpuSecond(wharf.pid, url, session),
        measureBare,
      ),
      await compare(
        { name: 'the signed GET', unit: 'requests per CPU second', peer: `${peer}, but prepared beforehand` },
        rounds,
        () => requestsPerCpuSecond(wharf.pid, url, signed),
        () => bareRate('prepared'),
      ),
    ]
  } finally {
    await wharf.stop()
    await bare.stop()
    rmSync(folder, { recursive: true })
  }
}

const bytesOf = async (url: string, headers: Record<string, string> = {}): Promise<Buffer> =>
  Buffer.from(await (await fetch(url, { headers })).arrayBuffer())
