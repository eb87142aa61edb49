import assert from 'node:assert/strict'
import { test } from 'node:test'
import { jobSteps, operations, rolloutJobs } from '@wharf/contract'
import { TestServer } from '@wharf/testkit'

test('the contract describes every step of every job, in its order', async (t) => {
  const { app } = await TestServer.start(t)
  const { runner } = app.foundation.jobs
  const names = [...operations.filter(({ mode }) => mode === 'job').map(({ name }) => name), ...rolloutJobs]
  const jobs = names.map((name) => [name, runner.stepNames(name)])
  assert.ok(jobs.length > 0)
  assert.deepEqual(
    Object.fromEntries(jobs),
    Object.fromEntries(Object.entries(jobSteps).map(([name, steps]) => [name, Object.keys(steps)])),
  )
})
