import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { JobWorkers } from '@wharf/testkit'
import { type JobContext, step } from './definition.ts'

const never = 3_600_000

function waitingStep() {
  const happened: string[] = []
  const one = step(
    'one',
    async ({ signal }: JobContext) => {
      happened.push('run')
      await delay(20_000, undefined, { signal })
    },
    { undo: async () => void happened.push('undo') },
  )
  return { one, happened }
}

test('the deadline stops the step and undoes it', async (t) => {
  const workers = await JobWorkers.open(t)
  const { one, happened } = waitingStep()
  const worker = await workers.start([one])
  const row = await worker.end(await worker.submit({}, { timeoutSeconds: 1 }), 5000)
  assert.equal(row.state, 'Failed')
  assert.deepEqual(row.failure, {
    code: 'SYS.1001',
    details: 'StartDemo did not end within 1 s; repeat it with a longer time limit (X-API-Timeout)',
    status: 504,
    cause: null,
  })
  assert.deepEqual(happened, ['run', 'undo'])
})

test('a job whose deadline has passed before it is taken over does not run another step', async (t) => {
  const workers = await JobWorkers.open(t)
  const { one, happened } = waitingStep()
  const full = await workers.start([one], { limits: { maxRunning: 0, claimMs: never } })
  const uuid = await full.submit({}, { timeoutSeconds: 60 })
  const late = { now: () => Date.now() + 61_000 }
  const successor = await workers.start([one], { clock: late })
  const row = await successor.end(uuid)
  assert.equal(row.failure?.code, 'SYS.1001')
  assert.deepEqual(happened, ['undo'])
})

test('a waiting job that is cancelled or past its deadline ends even without capacity', async (t) => {
  const workers = await JobWorkers.open(t)
  const { one, happened } = waitingStep()
  const worker = await workers.start([one], { limits: { maxRunning: 1, claimMs: 50 } })
  const running = await worker.submit()
  const cancelled = await worker.submit()
  const expiring = await worker.submit({}, { timeoutSeconds: 1 })
  const patient = await worker.submit()
  await worker.cancel(cancelled)
  assert.equal((await worker.end(cancelled)).state, 'Cancelled')
  assert.equal((await worker.end(expiring)).failure?.code, 'SYS.1001')
  assert.equal((await workers.row(patient)).state, 'Waiting')
  assert.equal((await workers.row(running)).state, 'Running')
  assert.deepEqual(happened, ['run', 'undo', 'undo'])
})
