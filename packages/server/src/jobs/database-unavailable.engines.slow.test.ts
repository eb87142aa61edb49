import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import type { OpenedDatabase } from '@wharf/database/sqlite.ts'
import { ApiError } from '@wharf/platform/api-error.ts'
import { JobWorkers } from '@wharf/testkit'
import { type JobContext, step } from './definition.ts'

const connectionLost = () => Object.assign(new Error('connection lost'), { code: 'ECONNRESET' })

/** The database behind a connection that a test can interrupt. */
function withConnection(database: OpenedDatabase) {
  const connection = { isDown: false, lostAnswers: 0 }
  const transaction: OpenedDatabase['transaction'] = async (work) => {
    if (connection.isDown) throw connectionLost()
    const result = await database.transaction(work)
    if (connection.lostAnswers > 0) {
      connection.lostAnswers--
      throw connectionLost()
    }
    return result
  }
  const proxied = new Proxy(database, {
    get: (target, name) => (name === 'transaction' ? transaction : Reflect.get(target, name)),
  })
  return { connection, database: proxied }
}

const interrupt = (connection: { isDown: boolean }, ms: number) => {
  connection.isDown = true
  setTimeout(() => {
    connection.isDown = false
  }, ms)
}

test('a job waits while the database is unavailable, and loses nothing', async (t) => {
  const workers = await JobWorkers.open(t)
  const { connection, database } = withConnection(workers.database)
  let runs = 0
  const worker = await workers.start(
    [
      step('one', async ({ log }) => {
        runs++
        log('before the outage')
        interrupt(connection, 300)
      }),
      step('two', async ({ log }) => log('after the outage')),
    ],
    { database },
  )
  const uuid = await worker.submit()
  assert.equal((await worker.end(uuid)).state, 'Succeeded')
  assert.equal(runs, 1)
  assert.deepEqual(await workers.log(uuid), ['step one', 'before the outage', 'step two', 'after the outage'])
})

test('a step whose read finds the database unavailable starts again', async (t) => {
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
      if (input === 'fail') throw new ApiError('SYS.1016', 'as scripted')
    }),
  ])
  assert.equal((await worker.end(await worker.submit())).state, 'Succeeded')
  const failing = await worker.submit('fail')
  assert.equal((await worker.end(failing)).failure?.code, 'SYS.1016')
  assert.deepEqual([...lost], ['run one', 'run two', 'undo one'])
  assert.ok(!(await workers.log(failing)).some((line) => line.startsWith('undo one failed')))
  assert.doesNotMatch(worker.logged, /threw/)
})

test('a commit whose answer was lost is not treated as a failure', async (t) => {
  const workers = await JobWorkers.open(t)
  const { connection, database } = withConnection(workers.database)
  const worker = await workers.start(
    ['one', 'two'].map((name) =>
      step(name, async ({ log }: JobContext) => {
        await delay(1)
        log(`in ${name}`)
        connection.lostAnswers = 1
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
  const { connection, database } = withConnection(workers.database)
  const aborted: unknown[] = []
  let runs = 0
  const worker = await workers.start(
    [
      step('one', async ({ signal }) => {
        if (runs++ > 0) return
        interrupt(connection, 1000)
        await delay(1500, undefined, { signal }).catch((error) => aborted.push(error))
        signal.throwIfAborted()
      }),
    ],
    { database, limits: { leaseMs: 300, renewMs: 50, claimMs: 50 } },
  )
  const row = await worker.end(await worker.submit())
  assert.equal(row.state, 'Succeeded')
  // on SQLite no other process can open the database, so the owner continues
  const other = database.engine === 'postgres' ? 1 : 0
  assert.deepEqual([aborted.length, runs], [other, 1 + other])
  // on a busy machine the lease may expire once more
  assert.ok(row.fence >= 1 + other)
  assert.doesNotMatch(worker.logged, /failed to finish/)
})

test('lines logged inside a write are visible while the step still runs', async (t) => {
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

test('a call that waits for a job is notified of an end during its query', async (t) => {
  const workers = await JobWorkers.open(t)
  let uuid: string | undefined
  let onRead: (() => Promise<void>) | undefined
  const readsOfJob = new WeakSet<object>()
  const slowReader = new Proxy(workers.database, {
    get: (target, name) => {
      if (name !== 'read') return Reflect.get(target, name)
      return target.read.withPlugin({
        // the events are read too, and a delay of theirs would delay the notification itself
        transformQuery: ({ node, queryId }) => {
          if (uuid !== undefined && JSON.stringify(node).includes(uuid)) readsOfJob.add(queryId)
          return node
        },
        transformResult: async ({ result, queryId }) => {
          if (readsOfJob.has(queryId)) await onRead?.()
          return result
        },
      })
    },
  })
  let finish = (): void => {}
  const opened = new Promise<void>((resolve) => {
    finish = resolve
  })
  // a job that waits for another: the end of one that this node runs needs no query
  const limits = { maxRunning: 1, claimMs: 20 }
  const worker = await workers.start([step('one', () => opened)], { database: slowReader, limits })
  await worker.submit()
  const submitted = await worker.submit()
  uuid = submitted
  let readAt = 0
  onRead = async () => {
    onRead = undefined
    finish()
    await worker.end(submitted)
    await delay(400)
    readAt = performance.now()
  }
  assert.equal((await worker.end(submitted)).state, 'Succeeded')
  // the next poll would be after two seconds
  assert.ok(readAt > 0 && performance.now() - readAt < 1500, 'it waited for the next poll')
})
