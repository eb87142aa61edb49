import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import type { Tx } from '@wharf/database/database.ts'
import { JobWorkers, testEngine } from '@wharf/testkit'
import { step } from './definition.ts'

/** SQLite has one writer, and no other nodes. */
const onSharedDatabase = testEngine === 'postgres' ? test : () => {}
const steps = [step('one', async () => {})]
const maxConnections = 10

/** A transaction that has done something and goes on when it is told to. */
function hold(workers: JobWorkers, work: (tx: Tx) => Promise<unknown>) {
  const begun = Promise.withResolvers<void>()
  const go = Promise.withResolvers<void>()
  const ended = workers.database.transaction(async (tx) => {
    await work(tx)
    begun.resolve()
    await go.promise
  })
  const release = async (): Promise<void> => {
    go.resolve()
    await ended
  }
  return { begun: begun.promise, release }
}

onSharedDatabase('a job that a transaction was cut off at does not hold up the others', async (t) => {
  const workers = await JobWorkers.open(t)
  const asked = workers.prepare(steps)
  const locked = await asked.submit()
  const free = await asked.submit()
  const cutOff = hold(workers, (tx) => tx.updateTable('jobs').set({ progress: 1 }).where('uuid', '=', locked).execute())
  await cutOff.begun
  const worker = await workers.start(steps)
  assert.equal((await worker.end(free)).state, 'Succeeded')
  assert.equal((await workers.row(locked)).state, 'Waiting')
  await cutOff.release()
  assert.equal((await worker.end(locked)).state, 'Succeeded')
})

onSharedDatabase('a job is taken though calls have every connection', async (t) => {
  const workers = await JobWorkers.open(t)
  const asked = workers.prepare(steps)
  const worker = await workers.start(steps)
  const uuid = await asked.submit()
  const calls = Array.from({ length: maxConnections }, () =>
    hold(workers, (tx) => tx.selectFrom('jobs').select('uuid').execute()),
  )
  await Promise.all(calls.map(({ begun }) => begun))
  const ownerOf = (tx: Tx) => tx.selectFrom('jobs').select('owner').where('uuid', '=', uuid).executeTakeFirstOrThrow()
  const owner = async () => (await workers.database.transaction(ownerOf, { isUrgent: true })).owner
  for (let tries = 0; tries < 50 && (await owner()) === null; tries++) await delay(100)
  assert.equal(await owner(), worker.jobs.runner.owner)
  await Promise.all(calls.map(({ release }) => release()))
  assert.equal((await worker.end(uuid)).state, 'Succeeded')
})
