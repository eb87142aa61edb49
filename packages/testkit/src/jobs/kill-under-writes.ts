import assert from 'node:assert/strict'
import { availableParallelism, loadavg } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as delay } from 'node:timers/promises'
import type { Client } from '../calls/client.ts'
import { serverSources } from '../program/programs.ts'
import { ServerProcess } from '../program/server-process.ts'
import { type Cleanup, reverseCleanup } from '../reverse-cleanup.ts'
import { serverEnvironment } from '../server/server.ts'

const writers = 4
const maxWritingMs = 250
const pageSize = 10_000

/** The writes attempted in one run of the server, and those it has acknowledged. */
interface Written {
  attempted: Set<string>
  acknowledged: Set<string>
}

export interface KillResult {
  acknowledged: number
  /** The longest time from the start of a process until it was ready, in milliseconds. The last one is from the sources. */
  maxReadyMs: number
  /** The limit: 3 s, and proportionally more on an overloaded machine. */
  allowedReadyMs: number
}

const promisedReadyMs = 3000
const overloadNow = (): number => (loadavg()[0] ?? 0) / availableParallelism()

/** In each cycle: writes at full speed, kills the server at a random moment, restarts it and checks what is stored. */
export async function killUnderWrites(t: Cleanup, cycles: number): Promise<KillResult> {
  const cleanup = reverseCleanup(t)
  const environment = { ...(await serverEnvironment(cleanup)), WHARF_LOG_LEVEL: 'warn' }
  const server = new ServerProcess(environment)
  cleanup.after(() => server.kill())
  await server.start()
  let maxReadyMs = 0
  let overload = 1
  let acknowledged = 0
  for (let cycle = 0; cycle < cycles; cycle++) {
    const written = await writeUntilKilled(server, `c${cycle}-`)
    maxReadyMs = Math.max(maxReadyMs, await server.start())
    overload = Math.max(overload, overloadNow())
    const stored = await tagsNamed(server.admin, `c${cycle}-`)
    assert.deepEqual([...written.acknowledged.difference(stored)], [], `lost in cycle ${cycle}`)
    assert.deepEqual([...stored.difference(written.attempted)], [], `stored but never sent in cycle ${cycle}`)
    assert.ok(written.acknowledged.size > 0, `nothing was written in cycle ${cycle}`)
    acknowledged += written.acknowledged.size
    checkIntegrity(server)
  }
  const total = Number((await server.admin.get('/v1/tags?count=true')).body.total)
  assert.ok(total >= acknowledged, 'what survived one crash survives the others')
  // once more from its sources, as users start it, which takes longer
  await server.kill()
  const fromSources = new ServerProcess(environment, serverSources)
  cleanup.after(() => fromSources.kill())
  maxReadyMs = Math.max(maxReadyMs, await fromSources.start())
  overload = Math.max(overload, overloadNow())
  return { acknowledged, maxReadyMs, allowedReadyMs: promisedReadyMs * overload }
}

async function writeUntilKilled(server: ServerProcess, prefix: string): Promise<Written> {
  const { admin } = server
  const written: Written = { attempted: new Set(), acknowledged: new Set() }
  const first = Promise.withResolvers<void>()
  const write = async (): Promise<void> => {
    for (;;) {
      const name = `${prefix}${written.attempted.size}`
      written.attempted.add(name)
      const answer = await admin.post('/v1/tags', { params: { name } }).catch(() => undefined)
      if (answer === undefined) return
      assert.equal(answer.status, 200, answer.text)
      written.acknowledged.add(name)
      first.resolve()
    }
  }
  const writing = Promise.all(Array.from({ length: writers }, write))
  await Promise.race([first.promise, writing])
  await delay(Math.random() * maxWritingMs)
  await server.kill()
  await writing
  return written
}

async function tagsNamed(client: Client, prefix: string): Promise<Set<string>> {
  const names = new Set<string>()
  for (let start = 0; ; start += pageSize) {
    const query = `q=${encodeURIComponent(`name~=${prefix}%`)}&fields=name&limit=${pageSize}&start=${start}`
    const { body } = await client.get(`/v1/tags?${query}`)
    const page = body.inventories as { name: string }[]
    for (const { name } of page) names.add(name)
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
