import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { ApiError } from '@wharf/platform/api-error.ts'
import { JobWorkers } from '@wharf/testkit'
import { type JobContext, step } from './definition.ts'

const never = 3_600_000
/** Claims jobs but does not renew its leases, like a suspended process. */
const suspended = { leaseMs: 200, renewMs: never, claimMs: never }
const takesOver = { leaseMs: 5000, claimMs: 20 }

function gate() {
  let open = (): void => {}
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  return { open, opened }
}

test('an owner that lost its job while it was suspended changes nothing', async (t) => {
  const workers = await JobWorkers.open(t)
  const wake = gate()
  const refused: unknown[] = []
  const writeSetting = (context: JobContext, value: string) =>
    context.write(async (tx) => {
      await tx
        .insertInto('settings')
        .values({ name: `by ${value}`, value })
        .execute()
    })

  const formerOwner = await workers.start(
    [
      step('one', async () => {}),
      step('two', async (context) => {
        await wake.opened
        context.log('written by the former owner')
        context.progress(99)
        await writeSetting(context, 'formerOwner').catch((error) => refused.push(error))
      }),
    ],
    { limits: suspended },
  )
  const uuid = await formerOwner.submit()
  const newOwner = await workers.start(
    [step('one', async () => {}), step('two', (context) => writeSetting(context, 'newOwner'))],
    {
      limits: takesOver,
    },
  )
  assert.equal((await newOwner.end(uuid)).state, 'Succeeded')
  const before = await workers.row(uuid)
  const logBefore = await workers.log(uuid)

  wake.open()
  await delay(400)
  assert.match(String(refused[0]), /another process owns the job/)
  assert.deepEqual(await workers.row(uuid), before)
  assert.deepEqual(await workers.log(uuid), logBefore)
  assert.doesNotMatch(logBefore.join(), /written by the former owner/)
  const written = await workers.database.read
    .selectFrom('settings')
    .select('value')
    .where('name', 'like', 'by %')
    .execute()
  assert.deepEqual(
    written.map(({ value }) => value),
    ['newOwner'],
  )
  assert.equal(formerOwner.jobs.runner.runningCount, 0)
})

test('a refused write aborts the signal of the step immediately', async (t) => {
  const workers = await JobWorkers.open(t)
  const wake = gate()
  const aborted = gate()
  const formerOwner = await workers.start(
    [
      step('one', async (context) => {
        context.signal.addEventListener('abort', () => aborted.open())
        await wake.opened
        context.log('a line')
        await aborted.opened
      }),
    ],
    { limits: suspended },
  )
  const uuid = await formerOwner.submit()
  const newOwner = await workers.start([step('one', async () => {})], { limits: takesOver })
  await newOwner.end(uuid)
  wake.open()
  await Promise.race([aborted.opened, delay(2000).then(() => assert.fail('the signal was not aborted'))])
})

test('two workers on one database run every job once', async (t) => {
  const workers = await JobWorkers.open(t)
  const count = 200
  const happened = new Map<string, number>()
  const ranAt = new Map<string, number>()
  const steps = (worker: string) =>
    ['one', 'two'].map((name) =>
      step(name, async ({ jobUuid }: JobContext) => {
        happened.set(`${jobUuid} ${name}`, (happened.get(`${jobUuid} ${name}`) ?? 0) + 1)
        ranAt.set(worker, (ranAt.get(worker) ?? 0) + 1)
        await delay(5)
      }),
    )
  const limits = { maxRunning: 8, claimMs: 5 }
  const first = await workers.start(steps('first'), { limits })
  await workers.start(steps('second'), { limits })
  const uuids = await Promise.all(Array.from({ length: count }, () => first.submit()))
  for (const uuid of uuids) assert.equal((await first.end(uuid, 30_000)).state, 'Succeeded')
  assert.equal(happened.size, 2 * count)
  assert.deepEqual([...new Set(happened.values())], [1])
  assert.ok((ranAt.get('first') ?? 0) > 0 && (ranAt.get('second') ?? 0) > 0, 'both took part')
})

test('a worker without the operation leaves the job to one that has it', async (t) => {
  const workers = await JobWorkers.open(t)
  const formerOwner = await workers.start([step('one', () => new Promise<void>(() => {}))], {
    limits: { ...suspended, stopGraceMs: 1 },
  })
  const uuid = await formerOwner.submit()
  await workers.start([], { limits: { leaseMs: never, claimMs: 10 }, hasNoOperations: true })
  await delay(400)
  const newOwner = await workers.start([step('one', async () => {})], { limits: takesOver })
  assert.equal((await newOwner.end(uuid, 3000)).state, 'Succeeded')
})

test('a job that an older version started continues at the step of the same name', async (t) => {
  const workers = await JobWorkers.open(t)
  const happened: string[] = []
  const acting = (name: string, work: (context: JobContext) => Promise<void> = async () => {}) =>
    step(
      name,
      (context: JobContext) => {
        happened.push(`run ${name}`)
        return work(context)
      },
      { undo: async () => void happened.push(`undo ${name}`) },
    )
  const reached = gate()
  const older = await workers.start([
    acting('one'),
    acting('two', async ({ signal }) => {
      reached.open()
      await delay(10_000, undefined, { signal })
    }),
  ])
  const uuid = await older.submit()
  await reached.opened
  await older.stop()
  happened.length = 0
  const fail = async () => {
    throw new ApiError('SYS.1016', 'no')
  }
  const newer = await workers.start([acting('zero'), acting('one'), acting('new'), acting('two'), acting('last', fail)])
  assert.equal((await newer.end(uuid)).state, 'Failed')
  assert.deepEqual(happened, ['run two', 'run last', ...['last', 'two', 'new', 'one', 'zero'].map((n) => `undo ${n}`)])
})

test('a job that cannot be read does not block others', async (t) => {
  const workers = await JobWorkers.open(t)
  const full = await workers.start([step('one', async () => {})], { limits: { maxRunning: 0, claimMs: never } })
  const uuids = [await full.submit(), await full.submit(), await full.submit()]
  await workers.database.transaction((tx) =>
    tx
      .updateTable('jobs')
      .set({ sealedInput: Buffer.from('not sealed with this key') })
      .where('uuid', '=', uuids[0] as string)
      .execute(),
  )
  const newOwner = await workers.start([step('one', async () => {})], {
    limits: { leaseMs: 300, renewMs: 50, claimMs: 20 },
  })
  for (const uuid of uuids.slice(1)) assert.equal((await newOwner.end(uuid, 3000)).state, 'Succeeded')
  assert.match(newOwner.logged, /a job failed to finish/)
})

test('a job that is enqueued before the runner starts waits for it and runs once', async (t) => {
  const workers = await JobWorkers.open(t)
  let runs = 0
  const worker = workers.prepare([step('one', async () => void runs++)])
  const uuid = await worker.submit()
  assert.equal((await workers.row(uuid)).state, 'Waiting')
  await worker.start()
  assert.equal((await worker.end(uuid)).state, 'Succeeded')
  assert.equal(runs, 1)
})

test('an owner whose lease expired continues when no other process claimed the job', async (t) => {
  const workers = await JobWorkers.open(t)
  let runs = 0
  const worker = await workers.start(
    [
      step('one', async () => {
        runs++
        await delay(800)
      }),
    ],
    // long enough for a busy machine to start the step in
    { limits: { leaseMs: 400, renewMs: never, claimMs: 20 } },
  )
  const uuid = await worker.submit()
  assert.equal((await worker.end(uuid)).state, 'Succeeded')
  assert.equal(runs, 1)
})
