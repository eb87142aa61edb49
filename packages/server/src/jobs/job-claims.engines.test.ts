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

/** Starts a transaction that stays open until `release`. */
function openTransaction(workers: JobWorkers, work: (tx: Tx) => Promise<unknown>) {
  const started = Promise.withResolvers<void>()
  const released = Promise.withResolvers<void>()
  const ended = workers.database.transaction(async (tx) => {
    await work(tx)
    started.resolve()
    await released.promise
  })
  const release = async (): Promise<void> => {
    released.resolve()
    await ended
  }
  return { started: started.promise, release }
}

onSharedDatabase('a job that an interrupted transaction has locked does not block the others', async (t) => {
  const workers = await JobWorkers.open(t)
  const submitter = workers.prepare(steps)
  const locked = await submitter.submit()
  const free = await submitter.submit()
  const interrupted = openTransaction(workers, (tx) =>
    tx.updateTable('jobs').set({ progress: 1 }).where('uuid', '=', locked).execute(),
  )
  await interrupted.started
  const worker = await workers.start(steps)
  assert.equal((await worker.end(free)).state, 'Succeeded')
  assert.equal((await workers.row(locked)).state, 'Waiting')
  await interrupted.release()
  assert.equal((await worker.end(locked)).state, 'Succeeded')
})

onSharedDatabase('a job is claimed even when calls use every connection', async (t) => {
  const workers = await JobWorkers.open(t)
  const submitter = workers.prepare(steps)
  const worker = await workers.start(steps)
  const uuid = await submitter.submit()
  const calls = Array.from({ length: maxConnections }, () =>
    openTransaction(workers, (tx) => tx.selectFrom('jobs').select('uuid').execute()),
  )
  await Promise.all(calls.map(({ started }) => started))
  const ownerOf = (tx: Tx) => tx.selectFrom('jobs').select('owner').where('uuid', '=', uuid).executeTakeFirstOrThrow()
  const owner = async () => (await workers.database.transaction(ownerOf, { isUrgent: true })).owner
  for (let tries = 0; tries < 50 && (await owner()) === null; tries++) await delay(100)
  assert.equal(await owner(), worker.jobs.runner.owner)
  await Promise.all(calls.map(({ release }) => release()))
  assert.equal((await worker.end(uuid)).state, 'Succeeded')
})
