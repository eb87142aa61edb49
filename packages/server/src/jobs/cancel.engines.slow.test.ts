import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import {
  type Client,
  JobWorkers,
  startTrialCall,
  TestServer,
  TrialJob,
  TrialTrace,
  trialOperations,
} from '@wharf/testkit'
import { type JobContext, step } from './definition.ts'

test('cancel ends every process of a step and undoes it', async (t) => {
  const server = await TestServer.start(t, { extend: trialOperations })
  const trace = new TrialTrace(t)
  const job = await TrialJob.start(server.admin, { trace: trace.file, spawnTree: true })
  await trace.waitForLine('tree began')
  assert.deepEqual((await job.cancel()).body, { success: true, error: null })
  const answer = await job.waitForEnd()
  assert.equal(answer.status, 503)
  assert.equal(answer.headers.get('x-job-success'), 'false')
  assert.equal(answer.body.error?.code, 'SYS.1017')
  assert.deepEqual(trace.lines, ['run first', 'tree began', 'tree ended', 'undo second', 'undo first'])
  assert.equal((await job.row()).state, 'Cancelled')
})

test('the deadline of X-API-Timeout ends every process of a step and undoes it', async (t) => {
  const server = await TestServer.start(t, { extend: trialOperations })
  const trace = new TrialTrace(t)
  const headers = { 'x-api-timeout': '1' }
  const job = await TrialJob.start(server.admin, { trace: trace.file, spawnTree: true }, { headers })
  const answer = await job.waitForEnd()
  assert.equal(answer.status, 503)
  assert.equal(answer.body.error?.code, 'SYS.1001')
  assert.match(answer.body.error?.details ?? '', /^StartDemo did not end within 1 s/)
  assert.deepEqual(trace.lines, ['run first', 'tree began', 'tree ended', 'undo second', 'undo first'])
  assert.equal((await job.row()).state, 'Failed')
})

test('a call that waits for its job gets the failure of the cancelled job', async (t) => {
  const server = await TestServer.start(t, { extend: trialOperations })
  const trace = new TrialTrace(t)
  const waiting = startTrialCall(server.admin, { trace: trace.file, holdAt: 'run second' })
  await trace.waitForLine('run first')
  const { body } = await server.admin.get('/v1/api-jobs?q=operation=StartDemo')
  const [row] = body.inventories as { uuid: string }[]
  await server.admin.delete(`/v1/api-jobs/${row?.uuid}`)
  const answer = await waiting
  assert.equal(answer.status, 409)
  assert.equal(answer.body.error?.code, 'SYS.1017')
})

test('an operator cancels its own jobs, an admin any job', async (t) => {
  const server = await TestServer.start(t, { extend: trialOperations })
  const trace = new TrialTrace(t)
  const alice = await server.signIn('operator', 'alice')
  const bob = await server.signIn('operator', 'bob')
  const reader = await server.signIn('reader', 'carol')
  const ofAlice = await TrialJob.start(alice, { trace: trace.file, holdAt: 'run first' })
  const ofAdmin = await TrialJob.start(server.admin, { trace: trace.file, holdAt: 'run first' })
  const done = await TrialJob.start(alice, { trace: trace.file })
  const failed = await TrialJob.start(alice, { trace: trace.file, failAt: 'run first' })
  const undoing = await TrialJob.start(alice, { trace: trace.file, failAt: 'run first', holdAt: 'undo first' })
  await done.waitForEnd()
  await failed.waitForEnd()
  await undoing.waitFor('state', 'Undoing')
  const unknown = { uuid: randomUUID().replaceAll('-', '') }

  const refused: { name: string; as: Client; job: { uuid: string }; status: number; code: string }[] = [
    { name: 'an anonymous caller', as: server.anonymous, job: ofAlice, status: 401, code: 'ID.1001' },
    { name: 'a reader', as: reader, job: ofAlice, status: 403, code: 'ID.1002' },
    { name: 'an operator, the job of another', as: bob, job: ofAlice, status: 403, code: 'ID.1002' },
    { name: 'an operator, the job of an admin', as: alice, job: ofAdmin, status: 403, code: 'ID.1002' },
    { name: 'a job that does not exist', as: alice, job: unknown, status: 404, code: 'SYS.1003' },
    { name: 'a job that has succeeded', as: alice, job: done, status: 409, code: 'JOB.1001' },
    { name: 'a job that has failed', as: server.admin, job: failed, status: 409, code: 'JOB.1001' },
    { name: 'a job that is being undone', as: alice, job: undoing, status: 409, code: 'JOB.1001' },
  ]
  for (const { name, as, job, status, code } of refused)
    await t.test(`not ${name}`, async () => {
      const answer = await as.delete(`/v1/api-jobs/${job.uuid}`)
      assert.equal(answer.status, status)
      assert.equal(answer.body.error?.code, code)
      for (const untouched of [ofAlice, ofAdmin]) assert.equal((await untouched.row()).state, 'Running')
    })

  const allowed = [
    { name: 'an operator, its own job', as: alice, job: ofAlice },
    { name: 'an admin, its own job', as: server.admin, job: ofAdmin },
    {
      name: 'an admin, any job',
      as: server.admin,
      job: await TrialJob.start(alice, { trace: trace.file, holdAt: 'run first' }),
    },
  ]
  for (const { name, as, job } of allowed)
    await t.test(name, async () => {
      assert.equal((await job.seenBy(as).cancel()).status, 200)
      assert.equal((await job.waitForEnd()).body.error?.code, 'SYS.1017')
      assert.equal((await job.seenBy(as).cancel()).body.error?.code, 'JOB.1001')
    })
})

test('the job of a record is cancelled by its user or an admin, and a refusal names the job and its user', async (t) => {
  const workers = await JobWorkers.open(t)
  const worker = await workers.start([
    step('one', async ({ signal }: JobContext) => void (await delay(60_000, undefined, { signal }))),
  ])
  const subjectUuid = randomUUID().replaceAll('-', '')
  const cancelAs = (userUuid: string, role: string) =>
    worker.jobs.cancelSubject({ caller: { userUuid, role }, authorise: async () => {} }, subjectUuid)
  for (const [userUuid, role] of [
    ['u', 'operator'],
    ['other', 'admin'],
  ] as const) {
    const uuid = await worker.submit({}, { subjectUuid })
    await assert.rejects(cancelAs('other', 'operator'), {
      code: 'ID.1002',
      message: new RegExp(`running on ${subjectUuid}, as job ${uuid} of user u; only an admin may cancel`),
    })
    assert.deepEqual([(await workers.row(uuid)).state, (await workers.row(uuid)).cancelRequested], ['Running', 0])
    await cancelAs(userUuid, role)
    assert.equal((await workers.row(uuid)).state, 'Cancelled')
  }
  await cancelAs('other', 'operator')
})

test('a job of a lost owner is cancelled by the next owner', async (t) => {
  const server = await TestServer.start(t, { extend: trialOperations, jobLimits: { claimMs: 50, maxRunning: 1 } })
  const trace = new TrialTrace(t)
  const running = await TrialJob.start(server.admin, { trace: trace.file, holdAt: 'run first' })
  const job = await TrialJob.start(server.admin, { trace: trace.file })
  // in its second step on a node that is lost
  await server.app.foundation.database.transaction((tx) =>
    tx
      .updateTable('jobs')
      .set({ state: 'Running', owner: 'gone:gone', leaseUntil: Date.now() + 300, position: 1, currentStep: 'second' })
      .where('uuid', '=', job.uuid)
      .execute(),
  )
  assert.equal((await job.cancel()).status, 200)
  assert.equal((await job.waitForEnd()).body.error?.code, 'SYS.1017')
  assert.deepEqual(trace.lines, ['undo second', 'undo first'])
  assert.equal((await running.row()).state, 'Running')
})
