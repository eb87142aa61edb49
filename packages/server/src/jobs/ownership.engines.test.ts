import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { ApiError } from '@wharf/platform/api-error.ts'
import { JobWorkers } from '@wharf/testkit'
import { type JobContext, step } from './definition.ts'

const never = 3_600_000
/** Claims, but lets its leases run out, as a process does that stands still. */
const standsStill = { leaseMs: 200, renewMs: never, claimMs: never }
const takesOver = { leaseMs: 5000, claimMs: 20 }

function gate() {
  let open = (): void => {}
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  return { open, opened }
}

test('an owner that lost its job while it stood still changes nothing any more', async (t) => {
  const workers = await JobWorkers.open(t)
  const sleep = gate()
  const refused: unknown[] = []
  const remember = (context: JobContext, value: string) =>
    context.write(async (tx) => {
      await tx
        .insertInto('settings')
        .values({ name: `by ${value}`, value })
        .execute()
    })

  const sleeper = await workers.start(
    [
      step('one', async () => {}),
      step('two', async (context) => {
        await sleep.opened
        context.log('the sleeper was here')
        context.progress(99)
        await remember(context, 'sleeper').catch((error) => refused.push(error))
      }),
    ],
    { limits: standsStill },
  )
  const uuid = await sleeper.submit()
  const taker = await workers.start(
    [step('one', async () => {}), step('two', (context) => remember(context, 'taker'))],
    {
      limits: takesOver,
    },
  )
  assert.equal((await taker.end(uuid)).state, 'Succeeded')
  const before = await workers.row(uuid)
  const logBefore = await workers.log(uuid)

  sleep.open()
  await delay(400)
  assert.match(String(refused[0]), /another process owns the job/)
  assert.deepEqual(await workers.row(uuid), before)
  assert.deepEqual(await workers.log(uuid), logBefore)
  assert.doesNotMatch(logBefore.join(), /the sleeper was here/)
  const written = await workers.database.read
    .selectFrom('settings')
    .select('value')
    .where('name', 'like', 'by %')
    .execute()
  assert.deepEqual(
    written.map(({ value }) => value),
    ['taker'],
  )
  assert.equal(sleeper.jobs.runner.runningCount, 0)
})

test('a write that is refused aborts the signal of the step at once', async (t) => {
  const workers = await JobWorkers.open(t)
  const sleep = gate()
  const told = gate()
  const sleeper = await workers.start(
    [
      step('one', async (context) => {
        context.signal.addEventListener('abort', () => told.open())
        await sleep.opened
        context.log('is anybody there?')
        await told.opened
      }),
    ],
    { limits: standsStill },
  )
  const uuid = await sleeper.submit()
  const taker = await workers.start([step('one', async () => {})], { limits: takesOver })
  await taker.end(uuid)
  sleep.open()
  await Promise.race([told.opened, delay(2000).then(() => assert.fail('nobody told the step'))])
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

test('a worker that does not know the operation leaves the job to one that does', async (t) => {
  const workers = await JobWorkers.open(t)
  const sleeper = await workers.start([step('one', () => new Promise<void>(() => {}))], {
    limits: { ...standsStill, stopGraceMs: 1 },
  })
  const uuid = await sleeper.submit()
  await workers.start([], { limits: { leaseMs: never, claimMs: 10 }, hasNoOperations: true })
  await delay(400)
  const taker = await workers.start([step('one', async () => {})], { limits: takesOver })
  assert.equal((await taker.end(uuid, 3000)).state, 'Succeeded')
})

test('a job that was begun by an older version goes on at the step of the same name', async (t) => {
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

test('a job that cannot be read keeps no other from running', async (t) => {
  const workers = await JobWorkers.open(t)
  const full = await workers.start([step('one', async () => {})], { limits: { maxRunning: 0, claimMs: never } })
  const uuids = [await full.submit(), await full.submit(), await full.submit()]
  await workers.database.transaction((tx) =>
    tx
      .updateTable('jobs')
      .set({ sealedInput: Buffer.from('this was never sealed by anyone here') })
      .where('uuid', '=', uuids[0] as string)
      .execute(),
  )
  const taker = await workers.start([step('one', async () => {})], {
    limits: { leaseMs: 300, renewMs: 50, claimMs: 20 },
  })
  for (const uuid of uuids.slice(1)) assert.equal((await taker.end(uuid, 3000)).state, 'Succeeded')
  assert.match(taker.logged, /a job failed to finish/)
})

test('a job that is queued before the machinery runs waits for it, and runs once', async (t) => {
  const workers = await JobWorkers.open(t)
  let runs = 0
  const worker = workers.prepare([step('one', async () => void runs++)])
  const uuid = await worker.submit()
  assert.equal((await workers.row(uuid)).state, 'Waiting')
  await worker.start()
  assert.equal((await worker.end(uuid)).state, 'Succeeded')
  assert.equal(runs, 1)
})

test('an owner that overslept its own lease goes on when nobody took the job', async (t) => {
  const workers = await JobWorkers.open(t)
  let runs = 0
  const worker = await workers.start(
    [
      step('one', async () => {
        runs++
        await delay(500)
      }),
    ],
    { limits: { leaseMs: 50, renewMs: never, claimMs: 20 } },
  )
  const uuid = await worker.submit()
  assert.equal((await worker.end(uuid)).state, 'Succeeded')
  assert.equal(runs, 1)
})
