import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import type { OpenedDatabase } from '@wharf/database/sqlite.ts'
import { systemClock } from '@wharf/platform/clock.ts'
import { newUuid } from '@wharf/platform/ids.ts'
import { Sealing } from '@wharf/platform/sealing.ts'
import { testDatabase } from '@wharf/testkit'
import { currentSource } from '../audit/audit-source.ts'
import { AuditTrail } from '../audit/audit-trail.ts'
import { Outbox } from '../events/outbox.ts'
import { Detached } from './detached.ts'
import { JobLogStore } from './job-log-store.ts'
import { type JobWrite, JobWrites } from './job-writes.ts'
import { newJobRow } from './new-job-row.ts'
import { JobStore } from './store.ts'

const owner = 'node:process'

/** Jobs of one owner, and the transactions that their writes take. */
async function setUp(t: TestContext, count: number) {
  const database = await testDatabase(t)
  const store = new JobStore(database)
  const uuids = Array.from({ length: count }, newUuid)
  const request = { caller: { accountUuid: 'a', userUuid: 'u' } }
  const running = { state: 'Running' as const, owner, sealedInput: Buffer.from('input') }
  await database.transaction(async (tx) => {
    for (const uuid of uuids) await store.insert(tx, { ...newJobRow({ ...request, uuid }, 'Trial', 1), ...running }, 0)
  })
  let transactions = 0
  const counted: OpenedDatabase['transaction'] = (work, options) => {
    transactions++
    return database.transaction(work, options)
  }
  const counting = new Proxy(database, {
    get: (target, name) => (name === 'transaction' ? counted : Reflect.get(target, name)),
  })
  const audit = new AuditTrail({
    database,
    clock: systemClock,
    sealing: new Sealing(Buffer.alloc(32)),
    nodeUuid: 'node',
  })
  const events = new Outbox({ database, clock: systemClock, audit })
  const writes = new JobWrites({ database: counting, store, logs: new JobLogStore(database), events, owner })
  const write = (uuid: string, more: Partial<JobWrite> = {}): Promise<void> =>
    writes.write({
      job: { uuid, fence: 1 },
      source: { ...currentSource(), hasSubjectChanges: true },
      lines: [{ sequence: 1, at: 1, line: `"${uuid}", {}\\`, kind: null }],
      event: 'Finished',
      change: async () => ({ state: 'Succeeded', owner: null, sealedOutcome: Buffer.from(uuid), endDate: 7 }),
      ...more,
    })
  const read = async () => ({
    ended: (await store.findAll(uuids)).filter(({ state }) => state === 'Succeeded').map(({ uuid }) => uuid),
    lines: (await database.read.selectFrom('jobLogs').select('line').execute()).map(({ line }) => line).sort(),
    events: (await database.read.selectFrom('events').select('uuid').execute()).map(({ uuid }) => uuid).sort(),
  })
  const expected = (ended: readonly string[]) => ({
    ended: [...ended].sort(),
    lines: ended.map((uuid) => `"${uuid}", {}\\`).sort(),
    events: [...ended].sort(),
  })
  const requireEnded = async (ended: readonly string[]): Promise<void> => {
    const found = await read()
    assert.deepEqual({ ...found, ended: found.ended.sort() }, expected(ended))
  }
  return { uuids, write, requireEnded, store, transactions: () => transactions }
}

test('jobs that end in one turn of the event loop share a transaction', async (t) => {
  const { uuids, write, requireEnded, store, transactions } = await setUp(t, 20)
  await Promise.all(uuids.map((uuid) => write(uuid)))
  assert.equal(transactions(), 1)
  await requireEnded(uuids)
  for (const { uuid, owner, sealedOutcome, endDate, fence } of await store.findAll(uuids))
    assert.deepEqual([owner, Buffer.from(sealedOutcome ?? []).toString(), endDate, fence], [null, uuid, 7, 1])
})

test('a write that fails does not prevent those that shared its transaction', async (t) => {
  const { uuids, write, requireEnded } = await setUp(t, 4)
  const [failing = '', superseded = '', ...others] = uuids
  const settled = await Promise.allSettled([
    write(failing, { change: async () => Promise.reject(new Error('as scripted')) }),
    write(superseded, { job: { uuid: superseded, fence: 0 } }),
    ...others.map((uuid) => write(uuid)),
  ])
  const [first, second, ...rest] = settled.map((one) => (one.status === 'rejected' ? one.reason : undefined))
  assert.equal(first.message, 'as scripted')
  assert.ok(second instanceof Detached)
  assert.deepEqual(rest, [undefined, undefined])
  await requireEnded(others)
})
