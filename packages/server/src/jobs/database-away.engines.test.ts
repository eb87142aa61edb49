import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import type { OpenedDatabase } from '@wharf/database/sqlite.ts'
import { ApiError } from '@wharf/platform/api-error.ts'
import { JobWorkers } from '@wharf/testkit'
import { type JobContext, step } from './definition.ts'

const connectionLost = () => Object.assign(new Error('connection lost'), { code: 'ECONNRESET' })

/** The database behind a line that a test can cut. */
function overLine(database: OpenedDatabase) {
  const line = { isCut: false, losesAnswers: 0 }
  const transaction: OpenedDatabase['transaction'] = async (work) => {
    if (line.isCut) throw connectionLost()
    const result = await database.transaction(work)
    if (line.losesAnswers > 0) {
      line.losesAnswers--
      throw connectionLost()
    }
    return result
  }
  const seen = new Proxy(database, {
    get: (target, name) => (name === 'transaction' ? transaction : Reflect.get(target, name)),
  })
  return { line, database: seen }
}

const cut = (line: { isCut: boolean }, ms: number) => {
  line.isCut = true
  setTimeout(() => {
    line.isCut = false
  }, ms)
}

test('a job waits while the database is away, and loses nothing', async (t) => {
  const workers = await JobWorkers.open(t)
  const { line, database } = overLine(workers.database)
  let runs = 0
  const worker = await workers.start(
    [
      step('one', async ({ log }) => {
        runs++
        log('before the cut')
        cut(line, 300)
      }),
      step('two', async ({ log }) => log('after it')),
    ],
    { database },
  )
  const uuid = await worker.submit()
  assert.equal((await worker.end(uuid)).state, 'Succeeded')
  assert.equal(runs, 1)
  assert.deepEqual(await workers.log(uuid), ['step one', 'before the cut', 'step two', 'after it'])
})

test('a step that finds the database away when it reads begins again', async (t) => {
  const workers = await JobWorkers.open(t)
  const lost = new Set<string>()
  const loseOnce = (what: string): void => {
    if (lost.has(what)) return
    lost.add(what)
    throw connectionLost()
  }
  const worker = await workers.start([
    step('one', async () => loseOnce('run one'), { undo: async () => loseOnce('undo one') }),
    step('two', async ({ input }) => {
      loseOnce('run two')
      if (input === 'fail') throw new ApiError('SYS.1016', 'as it was told')
    }),
  ])
  assert.equal((await worker.end(await worker.submit())).state, 'Succeeded')
  const failing = await worker.submit('fail')
  assert.equal((await worker.end(failing)).failure?.code, 'SYS.1016')
  assert.deepEqual([...lost], ['run one', 'run two', 'undo one'])
  assert.ok(!(await workers.log(failing)).some((line) => line.startsWith('undo one failed')))
  assert.doesNotMatch(worker.logged, /threw/)
})

test('a commit whose answer was lost is not taken for a failure', async (t) => {
  const workers = await JobWorkers.open(t)
  const { line, database } = overLine(workers.database)
  const worker = await workers.start(
    ['one', 'two'].map((name) =>
      step(name, async ({ log }: JobContext) => {
        await delay(1)
        log(`in ${name}`)
        line.losesAnswers = 1
      }),
    ),
    { database },
  )
  const uuid = await worker.submit()
  assert.equal((await worker.end(uuid)).state, 'Succeeded')
  assert.deepEqual(await workers.log(uuid), ['step one', 'in one', 'step two', 'in two'])
  await delay(600)
  assert.equal(worker.jobs.runner.runningCount, 0)
  assert.doesNotMatch(worker.logged, /failed to finish/)
})

test('an owner that cannot renew its lease stops, because another may have taken over', async (t) => {
  const workers = await JobWorkers.open(t)
  const { line, database } = overLine(workers.database)
  const aborted: unknown[] = []
  let runs = 0
  const worker = await workers.start(
    [
      step('one', async ({ signal }) => {
        if (runs++ > 0) return
        cut(line, 1000)
        await delay(1500, undefined, { signal }).catch((error) => aborted.push(error))
        signal.throwIfAborted()
      }),
    ],
    { database, limits: { leaseMs: 300, renewMs: 50, claimMs: 50 } },
  )
  const row = await worker.end(await worker.submit())
  assert.equal(row.state, 'Succeeded')
  // on SQLite nobody else can open the database, so the owner may go on
  const other = database.engine === 'postgres' ? 1 : 0
  assert.deepEqual([aborted.length, runs], [other, 1 + other])
  // a machine that is busy may let it slip once more
  assert.ok(row.fence >= 1 + other)
  assert.doesNotMatch(worker.logged, /failed to finish/)
})

test('lines that are logged inside a write are shown soon, though the step goes on', async (t) => {
  const workers = await JobWorkers.open(t)
  let shown: string[] = []
  const worker = await workers.start([
    step('one', async (context) => {
      await context.write(async () => context.log('inside'))
      await delay(500)
      shown = await workers.log(context.jobUuid)
    }),
  ])
  await worker.end(await worker.submit())
  assert.deepEqual(shown, ['step one', 'inside'])
})

test('a call that waits for a job hears of an end that comes while it looks', async (t) => {
  const workers = await JobWorkers.open(t)
  let look: (() => Promise<void>) | undefined
  const slowReader = new Proxy(workers.database, {
    get: (target, name) => {
      if (name !== 'read') return Reflect.get(target, name)
      return target.read.withPlugin({
        transformQuery: ({ node }) => node,
        transformResult: async ({ result }) => {
          await look?.()
          return result
        },
      })
    },
  })
  let finish = (): void => {}
  const opened = new Promise<void>((resolve) => {
    finish = resolve
  })
  const worker = await workers.start([step('one', () => opened)], { database: slowReader })
  const uuid = await worker.submit()
  let lookedAt = 0
  look = async () => {
    look = undefined
    finish()
    await worker.end(uuid)
    await delay(400)
    lookedAt = performance.now()
  }
  assert.equal((await worker.end(uuid)).state, 'Succeeded')
  // the next look would be after two seconds
  assert.ok(lookedAt > 0 && performance.now() - lookedAt < 1500, 'it waited for the next look')
})
