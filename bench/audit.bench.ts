import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { AuditEntryInventory } from '@wharf/contract'
import { collection } from '@wharf/database/query.ts'
import { openSqlite } from '@wharf/database/sqlite.ts'
import { ServerProcess } from '@wharf/testkit'
import autocannon, { type Request } from 'autocannon'
import { type FilledTrail, fillAuditTrail } from './audit-data.ts'
import { filledServer, temporaryFolder } from './bench-server.ts'
import { sampleMs } from './load.ts'
import { compare, comparePairs, type Figure, reach, shortRoundsPerRound } from './measure.ts'
import { allocatedMiBOf, cpuSecondsOf, peakMiBOf } from './process-usage.ts'
import { session, signed } from './sign-in.ts'

const entries = Number(process.env.ENTRIES ?? 1_000_000)
const wharf = fileURLToPath(new URL('../packages/cli/src/main.ts', import.meta.url))

/** The audit trail: what it costs a writing call. */
export async function audit(rounds: number): Promise<Figure[]> {
  return [await writingCalls(rounds)]
}

/** A page, an export and a verification of a million entries. */
export async function auditOfMillion(rounds: number): Promise<Figure[]> {
  await using cleanup = new AsyncDisposableStack()
  const large = await filledTrail(cleanup, entries)
  const small = await filledTrail(cleanup, fewer)
  return [await pages(rounds, large, small), ...(await exportAndVerify(rounds, large))]
}

const callsPerRound = 4000
/** Before the first round: until the code is compiled, a call costs up to twice as much. */
const warmUpCalls = 40_000
/** Longer than the second after which entries are chained. */
const chainedMs = 2000

/** Half of the calls create a record, half change one. */
async function writingCalls(rounds: number): Promise<Figure> {
  await using cleanup = new AsyncDisposableStack()
  const start = async (program: string): Promise<Writer> => {
    const server = new ServerProcess({ WHARF_DATA: temporaryFolder(cleanup), WHARF_PORT: '0' }, program)
    cleanup.defer(() => server.kill())
    const writer = await startWriter(server)
    await writer(warmUpCalls)
    return writer
  }
  const open = async () => {
    // both from their sources
    const ours = await start(fileURLToPath(import.meta.resolve('@wharf/server/program/command-line.ts')))
    const peer = await start(fileURLToPath(new URL('./peers/server-without-audit.ts', import.meta.url)))
    return [() => ours(), () => peer()] as const
  }
  const about = { name: 'calls that create and change records, with their audit entries', unit: 'calls per CPU second' }
  const pairs = Array.from({ length: rounds }, () => ({ rounds: shortRoundsPerRound, open }))
  // awaited: the servers end with this function
  return await comparePairs({ ...about, peer: 'the same without audit entries', aim: 0.91 }, pairs)
}

/** Makes calls, and returns the number that is answered per second of CPU time. */
type Writer = (calls?: number) => Promise<number>

async function startWriter(server: ServerProcess): Promise<Writer> {
  await server.start()
  const headers = { ...(await session(server)), 'content-type': 'application/json' }
  const platforms = '/v1/zwatch/third-party/platforms'
  const { body } = await server.admin.post(platforms, { params: { name: 'p', type: 'Alertmanager' } })
  const { uuid } = body.inventory as { uuid: string }
  const prefix = new URL(server.bootstrap.url).pathname.replace(/\/$/, '')
  let number = 0
  const setupCreation = (request: Request): Request => ({
    ...request,
    body: JSON.stringify({ params: { name: `tag-${++number}` } }),
  })
  const setupChange = (request: Request): Request => ({
    ...request,
    body: JSON.stringify({ updateThirdpartyPlatform: { description: `description ${++number}` } }),
  })
  const path = `${prefix}${platforms}/${uuid}/actions`
  return async (amount = callsPerRound) => {
    const before = cpuSecondsOf(server.pid)
    const result = await autocannon({
      url: new URL(server.bootstrap.url).origin,
      connections: 8,
      amount,
      sampleInt: sampleMs,
      requests: [
        { method: 'POST', path: `${prefix}/v1/tags`, headers, setupRequest: setupCreation },
        { method: 'PUT', path, headers, setupRequest: setupChange },
      ],
    })
    // chaining the entries is part of what they cost
    await delay(chainedMs)
    const { non2xx, errors } = result
    if (non2xx + errors > 0)
      throw new Error(`${non2xx} answers were not 200, ${errors} calls failed: ${server.stderr.slice(-1000)}`)
    return result['2xx'] / (cpuSecondsOf(server.pid) - before)
  }
}

const pagesPerRound = 1000
const fewer = 10_000

interface TrailServer {
  /** It is not running. */
  readonly server: Awaited<ReturnType<typeof filledServer>>
  readonly trail: FilledTrail
}

async function filledTrail(cleanup: AsyncDisposableStack, count: number): Promise<TrailServer> {
  const filled = Promise.withResolvers<FilledTrail>()
  const server = await filledServer(cleanup, (file) => filled.resolve(fillAuditTrail(file, count)))
  return { server, trail: await filled.promise }
}

/** A page of 50 by each of the filters of the console, of a million entries and of ten thousand. */
async function pages(rounds: number, large: TrailServer, small: TrailServer): Promise<Figure> {
  await using cleanup = new AsyncDisposableStack()
  const collected = collection(AuditEntryInventory)
  const open = ({ server, trail }: TrailServer): (() => Promise<number>) => {
    const database = openSqlite(server.file)
    cleanup.defer(() => database.close())
    return async () => {
      const before = process.cpuUsage()
      for (let page = 0; page < pagesPerRound; page++) {
        const q = conditionsOf(trail, page)
        const { inventories } = await collected.query(database, { q, sort: '-endDate', limit: 50 })
        if (inventories?.length !== 50) throw new Error(`${q.join()} has ${inventories?.length} entries`)
      }
      const { user, system } = process.cpuUsage(before)
      return pagesPerRound / ((user + system) / 1e6)
    }
  }
  const [ours, peer] = [open(large), open(small)]
  await ours()
  await peer()
  const about = {
    name: `page of 50 of ${entries.toLocaleString('en')} audit entries by q`,
    unit: 'pages per CPU second',
  }
  return await compare({ ...about, peer: `of ${fewer.toLocaleString('en')} entries`, aim: 0.7 }, rounds, ours, peer)
}

const conditionsOf = ({ recordUuid, userUuid }: FilledTrail, page: number): string[] =>
  [[`resourceUuid=${recordUuid}`], [`userUuid=${userUuid}`], ['operation=UpdateHost'], ['outcome=Denied'], []][
    page % 5
  ] ?? []

/** An export by curl of a server process, and its verification by the command, both with constant memory. */
async function exportAndVerify(rounds: number, { server, trail }: TrailServer): Promise<Figure[]> {
  await using cleanup = new AsyncDisposableStack()
  await server.start()
  const folder = temporaryFolder(cleanup)
  const file = join(folder, 'audit.ndjson')
  const path = '/v1/audit-entries/export'
  const exported = async (): Promise<number> => {
    let peak = 0
    const timer = setInterval(() => (peak = Math.max(peak, allocatedMiBOf(server.pid))), 20)
    const answer = await fetch(server.bootstrap.url + path, { headers: signed(server, path) })
    if (answer.status !== 200 || answer.body === null) throw new Error(`the export was answered ${answer.status}`)
    await pipeline(Readable.fromWeb(answer.body as never), createWriteStream(file))
    clearInterval(timer)
    return peak
  }
  const number = entries.toLocaleString('en')
  const memory = await reach(
    { name: `peak while ${number} audit entries are exported`, unit: 'MiB allocated', aim: 300, atMost: true },
    Math.min(rounds, 2),
    exported,
  )
  const key = join(folder, 'key.pem')
  const digests = join(folder, 'digests.ndjson')
  trail.writeEvidence({ key, digests })
  const verified = async (): Promise<number> => {
    const child = spawn(process.execPath, [wharf, 'audit', 'verify', file, '--key', key, '--digests', digests])
    let peak = 0
    const timer = setInterval(() => (peak = Math.max(peak, peakMiBOf(child.pid ?? 0))), 50)
    let output = ''
    child.stdout.on('data', (text) => (output += text))
    child.stderr.on('data', (text) => (output += text))
    const [code] = await once(child, 'close')
    clearInterval(timer)
    if (code !== 0) throw new Error(output)
    return peak
  }
  const about = { name: `wharf audit verify of ${number} entries`, unit: 'MiB RSS', aim: 200, atMost: true }
  return [memory, await reach(about, 1, verified)]
}
