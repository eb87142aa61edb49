import assert from 'node:assert/strict'
import { availableParallelism, loadavg } from 'node:os'
import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as delay } from 'node:timers/promises'
import { assertTagsAudited } from '../audit/assert-audited.ts'
import type { Client } from '../calls/client.ts'
import { testEngine } from '../database/database.ts'
import { serverSources } from '../program/programs.ts'
import { ServerProcess } from '../program/server-process.ts'
import { type Cleanup, reverseCleanup } from '../reverse-cleanup.ts'
import { serverEnvironment } from '../server/server.ts'

const writers = 4
/** Most of a cycle is the start of a server; a longer time between kills adds writes, not further states of a killed one. */
const maxWritingMs = process.env.TEST_LONG ? 250 : 100
const pageSize = 10_000
/** One tag in so many is deleted again. */
const deletedEvery = 3

/** The writes attempted in one run of the servers, and those they have acknowledged. */
interface Written {
  readonly attempted: Set<string>
  readonly acknowledged: Set<string>
  /** Their deletion was attempted. */
  readonly deleted: Set<string>
  refused: number
}

export interface KillResult {
  acknowledged: number
  /** Calls without a credential that were answered with 401. */
  refused: number
  /** As many as the audit trail counts. */
  recordedRefusals: number
  /** The longest time from the start of a process until it was ready, in milliseconds. The last one on SQLite is from the sources. */
  maxReadyMs: number
  /** The limit: 3 s, and proportionally more on an overloaded machine. */
  allowedReadyMs: number
}

const promisedReadyMs = 3000
const overloadNow = (): number => (loadavg()[0] ?? 0) / availableParallelism()

/**
 * In each cycle: writes and refused calls at full speed, kill -9 of a server at a random moment, its restart, and a check of
 * what is stored. On PostgreSQL there are two nodes, which are killed in turn. At the end every change has its audit entry.
 */
export async function killUnderWrites(t: Cleanup, cycles: number): Promise<KillResult> {
  const cleanup = reverseCleanup(t)
  const environment: Record<string, string> = { ...(await serverEnvironment(cleanup)), WHARF_LOG_LEVEL: 'warn' }
  const data = join(dirname(environment.WHARF_DATA ?? ''), 'second')
  const environments = testEngine === 'sqlite' ? [environment] : [environment, { ...environment, WHARF_DATA: data }]
  const servers = environments.map((one) => new ServerProcess(one))
  for (const server of servers) {
    cleanup.after(() => server.kill())
    await server.start()
  }
  const [first = new ServerProcess(environment)] = servers
  const result = { acknowledged: 0, refused: 0, maxReadyMs: 0 }
  let overload = 1
  const start = async (server: ServerProcess): Promise<void> => {
    result.maxReadyMs = Math.max(result.maxReadyMs, await server.start())
    overload = Math.max(overload, overloadNow())
  }
  for (let cycle = 0; cycle < cycles; cycle++) {
    const killed = servers[cycle % servers.length] ?? first
    const written = await writeUntilKilled(servers, killed, `c${cycle}-`)
    await start(killed)
    const stored = new Set((await tagsNamed(first.admin, `c${cycle}-`)).values())
    const kept = written.acknowledged.difference(written.deleted)
    assert.deepEqual([...kept.difference(stored)], [], `lost in cycle ${cycle}`)
    assert.deepEqual([...stored.difference(written.attempted)], [], `stored but never sent in cycle ${cycle}`)
    assert.ok(written.acknowledged.size > 0, `nothing was written in cycle ${cycle}`)
    result.acknowledged += written.acknowledged.size
    result.refused += written.refused
    checkIntegrity(killed)
  }
  await first.kill()
  // once more from its sources, as users start it, which takes longer; the engine makes no difference to that
  const last = testEngine === 'sqlite' ? new ServerProcess(environment, serverSources) : first
  cleanup.after(() => last.kill())
  await start(last)
  const { admin } = last
  const records = await assertTagsAudited(admin, new Set((await tagsNamed(admin, 'c')).keys()))
  const refusals = records.filter(({ outcome, operation }) => outcome === 'Denied' && operation === 'DeleteHost')
  const recordedRefusals = refusals.reduce((sum, { count }) => sum + count, 0)
  return { ...result, recordedRefusals, allowedReadyMs: promisedReadyMs * overload }
}

/** On all servers, until one of them is killed. */
async function writeUntilKilled(
  servers: readonly ServerProcess[],
  killed: ServerProcess,
  prefix: string,
): Promise<Written> {
  const written: Written = { attempted: new Set(), acknowledged: new Set(), deleted: new Set(), refused: 0 }
  const started = Promise.withResolvers<void>()
  let isOver = false
  /** False when the server does not answer any more; one that is not killed always answers. */
  const call = async (server: ServerProcess, status: number, send: () => ReturnType<Client['call']>) => {
    const answer = await send().catch(() => undefined)
    if (answer === undefined) return assert.equal(server, killed)
    assert.equal(answer.status, status, answer.text)
    return answer
  }
  const write = async (server: ServerProcess): Promise<void> => {
    const admin = server.adminOf(servers[0] ?? server)
    while (!isOver) {
      const number = written.attempted.size
      const name = `${prefix}${number}`
      written.attempted.add(name)
      const created = await call(server, 200, () => admin.post('/v1/tags', { params: { name } }))
      if (created === undefined) return
      written.acknowledged.add(name)
      if (server === killed) started.resolve()
      if (number % deletedEvery !== 0) continue
      written.deleted.add(name)
      const { uuid } = created.body.inventory as { uuid: string }
      if ((await call(server, 200, () => admin.delete(`/v1/tags/${uuid}`))) === undefined) return
    }
  }
  const beRefused = async (server: ServerProcess): Promise<void> => {
    const { anonymous } = server
    const path = `/v1/hosts/${'0'.repeat(32)}`
    while (!isOver && (await call(server, 401, () => anonymous.delete(path))) !== undefined) written.refused++
  }
  const writing = Promise.all(
    servers.flatMap((server) => [...Array.from({ length: writers }, () => write(server)), beRefused(server)]),
  )
  await Promise.race([started.promise, writing])
  await delay(Math.random() * maxWritingMs)
  await killed.kill()
  isOver = true
  await writing
  return written
}

/** By uuid. */
async function tagsNamed(client: Client, prefix: string): Promise<Map<string, string>> {
  const names = new Map<string, string>()
  for (let start = 0; ; start += pageSize) {
    const query = `q=${encodeURIComponent(`name~=${prefix}%`)}&fields=uuid,name&limit=${pageSize}&start=${start}`
    const { body } = await client.get(`/v1/tags?${query}`)
    const page = body.inventories as { uuid: string; name: string }[]
    for (const { uuid, name } of page) names.set(uuid, name)
    if (page.length < pageSize) return names
  }
}

function checkIntegrity({ environment }: ServerProcess): void {
  if (environment.WHARF_DATABASE_URL !== undefined) return
  const database = new DatabaseSync(join(environment.WHARF_DATA ?? '', 'wharf.db'), { readOnly: true, timeout: 5000 })
  try {
    const row = database.prepare('pragma integrity_check').get() as { integrity_check: string }
    assert.equal(row.integrity_check, 'ok')
  } finally {
    database.close()
  }
}
