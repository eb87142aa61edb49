import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { type JobWorker, type JobWorkerOptions, JobWorkers, testEngine } from '@wharf/testkit'
import { type JobContext, step } from './definition.ts'
import { requireOwned } from './ownership.ts'

/** SQLite has one node. */
const onPostgres = testEngine === 'postgres' ? test : () => {}

const never = 3_600_000
/** Claims jobs but does not renew its leases, like a suspended process. */
const suspended = { leaseMs: 200, renewMs: never, claimMs: never, stopGraceMs: 1 }
const healthy = { leaseMs: 5000, renewMs: 50, claimMs: 20 }
const silentSince = Date.UTC(2026, 0, 2, 3, 4, 5)

async function setNodeStatus(workers: JobWorkers, { nodeUuid: uuid }: JobWorker, status: 'Alive' | 'Dead') {
  const node = { uuid, hostName: 'gone', url: null, version: '0', createDate: silentSince, lastOpDate: silentSince }
  await workers.database.transaction((tx) =>
    tx
      .insertInto('managementNodes')
      .values({ ...node, status })
      .onConflict((conflict) => conflict.column('uuid').doUpdateSet({ status }))
      .execute(),
  )
}

async function until(what: string, condition: () => Promise<boolean>): Promise<void> {
  for (let tries = 0; !(await condition()); tries++) {
    assert.ok(tries < 500, `timed out: ${what}`)
    await delay(20)
  }
}

/** A job that needs the disk of a lost node, and another node. */
async function startJobOfLostNode(t: TestContext, more: JobWorkerOptions = {}) {
  const workers = await JobWorkers.open(t)
  const started = Promise.withResolvers<void>()
  const happened: string[] = []
  const steps = [
    step(
      'one',
      async ({ signal }: JobContext) => {
        started.resolve()
        await delay(never, undefined, { signal })
      },
      { undo: async () => void happened.push('undone') },
    ),
  ]
  const ends = {
    failed: async () => void happened.push('failed'),
    removeLeftovers: async () => void happened.push('cleaned up'),
    ...more,
  }
  const gone = await workers.start(steps, { ...ends, limits: suspended })
  await setNodeStatus(workers, gone, 'Alive')
  const uuid = await gone.submit({}, { managementNodeUuid: gone.nodeUuid, timeoutSeconds: 60 })
  await started.promise
  const other = await workers.start(steps, { ...ends, limits: healthy })
  await delay(400)
  assert.equal((await workers.row(uuid)).owner, gone.jobs.runner.owner, 'a node that is not lost keeps its jobs')
  await setNodeStatus(workers, gone, 'Dead')
  const waitingLine = `waiting for management node ${gone.nodeUuid}, silent since 2026-01-02T03:04:05.000Z`
  await until('the waiting line is logged', async () => (await workers.log(uuid)).includes(waitingLine))
  return { workers, gone, other, uuid, waitingLine, happened, steps, ends }
}

onPostgres(
  'a job that needs the disk of a dead node logs once that it waits, and continues when the node is back',
  async (t) => {
    const { workers, gone, uuid, waitingLine, ends, happened } = await startJobOfLostNode(t)
    await delay(300)
    assert.deepEqual(await workers.log(uuid), ['step one', waitingLine])
    assert.equal((await workers.row(uuid)).state, 'Running')
    await setNodeStatus(workers, gone, 'Alive')
    // the same node in a new process
    const back = await workers.start([step('one', async ({ log }: JobContext) => log('here again'))], {
      ...ends,
      limits: healthy,
      nodeUuid: gone.nodeUuid,
    })
    assert.equal((await back.end(uuid)).state, 'Succeeded')
    assert.deepEqual(await workers.log(uuid), ['step one', waitingLine, 'step one', 'here again'])
    assert.deepEqual(happened, [])
  },
)

for (const [why, cause] of [
  ['is cancelled', 'SYS.1017'],
  ['exceeds its deadline', 'SYS.1001'],
] as const)
  onPostgres(
    `a job of a dead node that ${why} is ended by another node, and cleaned up by its own when that is back`,
    async (t) => {
      const { workers, gone, other, uuid, ends, happened, steps } = await startJobOfLostNode(t)
      if (why === 'is cancelled') await other.cancel(uuid)
      else
        await workers.database.transaction((tx) =>
          tx.updateTable('jobs').set({ deadline: Date.now() }).where('uuid', '=', uuid).execute(),
        )
      const { state, failure } = await other.end(uuid)
      assert.equal(state, 'Failed')
      assert.deepEqual([failure?.code, failure?.cause?.code], ['SYS.1012', cause])
      assert.match(
        failure?.details ?? '',
        new RegExp(`management node ${gone.nodeUuid}.* silent since 2026-01-02.* stays`),
      )
      assert.deepEqual(happened, ['failed'])

      const back = await workers.start(steps, { ...ends, limits: healthy, nodeUuid: gone.nodeUuid })
      await until('the cleanup', async () => (await workers.row(uuid)).owner === null)
      assert.deepEqual(happened, ['failed', 'cleaned up'])
      assert.match((await workers.log(uuid)).at(-1) ?? '', /its management node is back and has removed/)
      assert.equal((await back.end(uuid)).state, 'Failed')
    },
  )

onPostgres(
  'a cleanup may take longer than a lease, and an interrupted one is repeated by the next process',
  async (t) => {
    const started: string[] = []
    const cleaned: string[] = []
    const { workers, gone, other, uuid, steps } = await startJobOfLostNode(t, { removeLeftovers: async () => {} })
    await other.cancel(uuid)
    await other.end(uuid)
    await setNodeStatus(workers, gone, 'Alive')
    const limits = { leaseMs: 1500, renewMs: 100, claimMs: 50, stopGraceMs: 1 }
    const back = (name: string, ms: number) =>
      workers.start(steps, {
        limits,
        nodeUuid: gone.nodeUuid,
        removeLeftovers: async ({ signal }) => {
          started.push(name)
          await delay(ms, undefined, { signal })
          requireOwned()
          cleaned.push(name)
        },
      })
    const first = await back('first', never)
    await until('the first process starts the cleanup', async () => started.length === 1)
    await first.stop()
    assert.deepEqual(cleaned, [])
    // without a renewal it could never end as the owner
    await back('second', 1.5 * limits.leaseMs)
    await until('the cleanup', async () => (await workers.row(uuid)).owner === null)
    assert.deepEqual(cleaned, ['second'])
    assert.match((await workers.log(uuid)).at(-1) ?? '', /has removed/)
  },
)

onPostgres(
  'a job that cannot be read is logged once and claimed after growing pauses until it can be read',
  async (t) => {
    const { workers, gone, other, uuid, steps } = await startJobOfLostNode(t, { removeLeftovers: async () => {} })
    await other.cancel(uuid)
    await other.end(uuid)
    await setNodeStatus(workers, gone, 'Alive')
    const { sealedInput, fence } = await workers.row(uuid)
    const seal = (bytes: Uint8Array) =>
      workers.database.transaction((tx) =>
        tx.updateTable('jobs').set({ sealedInput: bytes }).where('uuid', '=', uuid).execute(),
      )
    await seal(Buffer.alloc(sealedInput.length))
    const limits = { leaseMs: 200, renewMs: 20, claimMs: 20 }
    const back = await workers.start(steps, { limits, nodeUuid: gone.nodeUuid, removeLeftovers: async () => {} })
    await delay(1000)
    const claims = (await workers.row(uuid)).fence - fence
    assert.ok(claims > 1 && claims < 10, `claimed ${claims} times`)
    assert.equal(back.logged.match(/failed to finish/g)?.length, 1)
    await seal(sealedInput)
    await until('the cleanup', async () => (await workers.row(uuid)).owner === null)
  },
)
