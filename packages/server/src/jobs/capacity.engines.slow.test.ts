import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { startTrialCall, TestServer, TrialJob, TrialTrace, trialOperations, trialWith } from '@wharf/testkit'
import { step } from './definition.ts'
import { currentOwnership } from './ownership.ts'

const newUuid = () => randomUUID().replaceAll('-', '')

test('a second job on a busy subject is refused and leaves no row', async (t) => {
  const server = await TestServer.start(t, { extend: trialOperations })
  const subjectUuid = newUuid()
  const trace = new TrialTrace(t)
  const first = await TrialJob.start(server.admin, { trace: trace.file, holdAt: 'run first' }, { subjectUuid })
  const answer = await startTrialCall(server.admin, { trace: trace.file }, {}, subjectUuid)
  assert.equal(answer.status, 409)
  assert.equal(answer.body.error?.code, 'SYS.1005')
  assert.match(answer.body.error?.details ?? '', new RegExp(`StartDemo is still running .*${first.uuid}`))
  assert.equal((await server.admin.get('/v1/api-jobs?count=true')).body.total, 1)
  trace.release()
  await first.waitForEnd()

  await t.test('also while the first is being undone', async () => {
    const undoTrace = new TrialTrace(t)
    const failing = { trace: undoTrace.file, failAt: 'run first', holdAt: 'undo first' }
    const undoing = await TrialJob.start(server.admin, failing, { subjectUuid })
    await undoing.waitFor('state', 'Undoing')
    assert.equal((await startTrialCall(server.admin, {}, {}, subjectUuid)).body.error?.code, 'SYS.1005')
    undoTrace.release()
    await undoing.waitForEnd()
  })

  await t.test('but another subject, none, and this one afterwards are free', async () => {
    for (const free of [newUuid(), undefined, subjectUuid])
      assert.equal((await startTrialCall(server.admin, { trace: trace.file }, {}, free)).status, 200)
  })
})

test('of many parallel calls on one subject exactly one is accepted', async (t) => {
  const server = await TestServer.start(t, { extend: trialOperations })
  const trace = new TrialTrace(t)
  const subjectUuid = newUuid()
  const script = { trace: trace.file, holdAt: 'run first' }
  const call = () => startTrialCall(server.admin, script, { prefer: 'respond-async' }, subjectUuid)
  const answers = await Promise.all(Array.from({ length: 12 }, call))
  const statuses = answers.map(({ status }) => status).sort()
  assert.deepEqual(statuses, [202, ...Array(11).fill(409)])
  trace.release()
  await trace.waitForLine('run third')
  assert.deepEqual(trace.lines, ['run first', 'run second', 'run third'])
})

test('jobs beyond the capacity wait, and then run', async (t) => {
  const trace = new TrialTrace(t)
  const server = await TestServer.start(t, { extend: trialOperations, jobLimits: { maxRunning: 3, claimMs: 50 } })
  const jobs: TrialJob[] = []
  for (let i = 0; i < 10; i++) jobs.push(await TrialJob.start(server.admin, { trace: trace.file, holdAt: 'run first' }))
  const inState = async (state: string) =>
    (await server.admin.get(`/v1/api-jobs?q=state=${state}&count=true`)).body.total
  assert.deepEqual([await inState('Running'), await inState('Waiting')], [3, 7])
  assert.equal((await jobs[9]?.get())?.body.state, 'Waiting')
  trace.release()
  for (const job of jobs) assert.equal((await job.waitForEnd()).status, 200)
  assert.equal(trace.lines.length, 30)
})

test('waiting jobs are claimed as soon as capacity is free, before the next poll', async (t) => {
  const fences = new Set<number | undefined>()
  const quick = step<unknown, { names: string }>('quick', async () => {
    fences.add(currentOwnership()?.fence)
    await delay(20)
  })
  const never = 3_600_000
  const server = await TestServer.start(t, { extend: trialWith([quick]), jobLimits: { maxRunning: 4, claimMs: never } })
  const answers = await Promise.all(Array.from({ length: 60 }, () => startTrialCall(server.admin)))
  assert.deepEqual([...new Set(answers.map(({ status }) => status))], [200])
  assert.deepEqual(fences, new Set([1, 2]), 'some run immediately, others are claimed later')
})

test('progress and the current step are reported while the job runs', async (t) => {
  const server = await TestServer.start(t, { extend: trialOperations })
  const trace = new TrialTrace(t)
  const job = await TrialJob.start(server.admin, { trace: trace.file, holdAt: 'run second' })
  await job.waitFor('currentStep', 'second')
  const { status, body } = await job.get()
  assert.equal(status, 202)
  const { createDate, ...rest } = body
  assert.match(String(createDate), /^[A-Z][a-z]{2} \d/)
  assert.deepEqual(rest, {
    uuid: job.uuid,
    operation: 'StartDemo',
    subjectUuid: null,
    state: 'Running',
    progress: 33,
    currentStep: 'second',
    success: true,
    error: null,
  })
  trace.release()
  assert.deepEqual((await job.waitForEnd()).body, { steps: 'first second third', success: true, error: null })
  const { state, progress, currentStep } = await job.row()
  assert.deepEqual({ state, progress, currentStep }, { state: 'Succeeded', progress: 100, currentStep: null })
})
