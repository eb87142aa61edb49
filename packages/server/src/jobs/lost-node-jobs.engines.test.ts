import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { type JobWorker, type JobWorkerOptions, JobWorkers, testEngine } from '@wharf/testkit'
import { type JobContext, step } from './definition.ts'
import { requireOwned } from './ownership.ts'

/** SQLite has one node. */
const onPostgres = testEngine === 'postgres' ? test : () => {}

const never = 3_600_000
/** Claims, but lets its leases run out, as a process does that stands still. */
const standsStill = { leaseMs: 200, renewMs: never, claimMs: never, stopGraceMs: 1 }
const isUp = { leaseMs: 5000, renewMs: 50, claimMs: 20 }
const silentSince = Date.UTC(2026, 0, 2, 3, 4, 5)

async function isSaidToBe(workers: JobWorkers, { nodeUuid: uuid }: JobWorker, status: 'Alive' | 'Dead') {
  const node = { uuid, hostName: 'gone', url: null, version: '0', createDate: silentSince, lastOpDate: silentSince }
  await workers.database.transaction((tx) =>
    tx
      .insertInto('managementNodes')
      .values({ ...node, status })
      .onConflict((conflict) => conflict.column('uuid').doUpdateSet({ status }))
      .execute(),
  )
}

async function until(what: string, isSo: () => Promise<boolean>): Promise<void> {
  for (let tries = 0; !(await isSo()); tries++) {
    assert.ok(tries < 500, `in vain: ${what}`)
    await delay(20)
  }
}

/** A job that needs the disk of a node which stands still and is given up, and another node beside it. */
async function stranded(t: TestContext, timeoutSeconds = 60, more: JobWorkerOptions = {}) {
  const workers = await JobWorkers.open(t)
  const begun = Promise.withResolvers<void>()
  const happened: string[] = []
  const steps = [
    step(
      'one',
      async ({ signal }: JobContext) => {
        begun.resolve()
        await delay(never, undefined, { signal })
      },
      { undo: async () => void happened.push('undone') },
    ),
  ]
  const ends = {
    failed: async () => void happened.push('failed'),
    leftBehind: async () => void happened.push('tidied up'),
    ...more,
  }
  const gone = await workers.start(steps, { ...ends, limits: standsStill })
  await isSaidToBe(workers, gone, 'Alive')
  const uuid = await gone.submit({}, { managementNodeUuid: gone.nodeUuid, timeoutSeconds })
  await begun.promise
  const other = await workers.start(steps, { ...ends, limits: isUp })
  await delay(400)
  assert.equal((await workers.row(uuid)).owner, gone.jobs.runner.owner, 'a node that is not given up keeps its jobs')
  await isSaidToBe(workers, gone, 'Dead')
  const told = `waiting for management node ${gone.nodeUuid}, silent since 2026-01-02T03:04:05.000Z`
  await until('the log tells', async () => (await workers.log(uuid)).includes(told))
  return { workers, gone, other, uuid, told, happened, steps, ends }
}

onPostgres(
  'a job that needs the disk of a dead node says once that it waits, and goes on when the node is back',
  async (t) => {
    const { workers, gone, uuid, told, ends, happened } = await stranded(t)
    await delay(300)
    assert.deepEqual(await workers.log(uuid), ['step one', told])
    assert.equal((await workers.row(uuid)).state, 'Running')
    await isSaidToBe(workers, gone, 'Alive')
    // the same node, in a process of its own
    const back = await workers.start([step('one', async ({ log }: JobContext) => log('here again'))], {
      ...ends,
      limits: isUp,
      nodeUuid: gone.nodeUuid,
    })
    assert.equal((await back.end(uuid)).state, 'Succeeded')
    assert.deepEqual(await workers.log(uuid), ['step one', told, 'step one', 'here again'])
    assert.deepEqual(happened, [])
  },
)

for (const [why, timeoutSeconds, cause] of [
  ['is cancelled', 60, 'SYS.1017'],
  ['has run out of time', 1, 'SYS.1001'],
] as const)
  onPostgres(
    `a job of a dead node that ${why} is ended by another, and tidied up by its own when that is back`,
    async (t) => {
      const { workers, gone, other, uuid, ends, happened, steps } = await stranded(t, timeoutSeconds)
      if (timeoutSeconds === 60) await other.cancel(uuid)
      const { state, failure } = await other.end(uuid)
      assert.equal(state, 'Failed')
      assert.deepEqual([failure?.code, failure?.cause?.code], ['SYS.1012', cause])
      assert.match(
        failure?.details ?? '',
        new RegExp(`management node ${gone.nodeUuid}.* silent since 2026-01-02.* stays`),
      )
      assert.deepEqual(happened, ['failed'])

      const back = await workers.start(steps, { ...ends, limits: isUp, nodeUuid: gone.nodeUuid })
      await until('it is tidied up', async () => (await workers.row(uuid)).owner === null)
      assert.deepEqual(happened, ['failed', 'tidied up'])
      assert.match((await workers.log(uuid)).at(-1) ?? '', /its management node is back and has removed/)
      assert.equal((await back.end(uuid)).state, 'Failed')
    },
  )

onPostgres('tidying up may take longer than a lease, and what was cut short is done by the next process', async (t) => {
  const started: string[] = []
  const tidied: string[] = []
  const { workers, gone, other, uuid, steps } = await stranded(t, 60, { leftBehind: async () => {} })
  await other.cancel(uuid)
  await other.end(uuid)
  await isSaidToBe(workers, gone, 'Alive')
  const limits = { leaseMs: 1500, renewMs: 100, claimMs: 50, stopGraceMs: 1 }
  const back = (name: string, ms: number) =>
    workers.start(steps, {
      limits,
      nodeUuid: gone.nodeUuid,
      leftBehind: async ({ signal }) => {
        started.push(name)
        await delay(ms, undefined, { signal })
        requireOwned()
        tidied.push(name)
      },
    })
  const first = await back('first', never)
  await until('the first process tidies up', async () => started.length === 1)
  await first.stop()
  assert.deepEqual(tidied, [])
  // without a renewal it could never end as the owner
  await back('second', 1.5 * limits.leaseMs)
  await until('it is tidied up', async () => (await workers.row(uuid)).owner === null)
  assert.deepEqual(tidied, ['second'])
  assert.match((await workers.log(uuid)).at(-1) ?? '', /has removed/)
})

onPostgres('a job that cannot be read is logged once and claimed after growing pauses, until it can be', async (t) => {
  const { workers, gone, other, uuid, steps } = await stranded(t, 60, { leftBehind: async () => {} })
  await other.cancel(uuid)
  await other.end(uuid)
  await isSaidToBe(workers, gone, 'Alive')
  const { sealedInput, fence } = await workers.row(uuid)
  const seal = (bytes: Uint8Array) =>
    workers.database.transaction((tx) =>
      tx.updateTable('jobs').set({ sealedInput: bytes }).where('uuid', '=', uuid).execute(),
    )
  await seal(Buffer.alloc(sealedInput.length))
  const limits = { leaseMs: 200, renewMs: 20, claimMs: 20 }
  const back = await workers.start(steps, { limits, nodeUuid: gone.nodeUuid, leftBehind: async () => {} })
  await delay(1000)
  const claims = (await workers.row(uuid)).fence - fence
  assert.ok(claims > 1 && claims < 10, `claimed ${claims} times`)
  assert.equal(back.logged.match(/failed to finish/g)?.length, 1)
  await seal(sealedInput)
  await until('it is tidied up', async () => (await workers.row(uuid)).owner === null)
})
