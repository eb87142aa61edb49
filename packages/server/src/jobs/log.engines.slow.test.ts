import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { EventReader, TestServer, TrialJob, TrialTrace, trialOperations, trialWith } from '@wharf/testkit'
import { type JobContext, step } from './definition.ts'

type Context = JobContext<unknown, { names: string }>
const oneStep = (run: (context: Context) => Promise<void>) => trialWith([step('one', run)])

const logPath = ({ uuid }: TrialJob, follow = true) => `/v1/api-jobs/${uuid}/log${follow ? '?follow=true' : ''}`

test('the log is plain text', async (t) => {
  const server = await TestServer.start(t, { extend: trialOperations })
  const trace = new TrialTrace(t)
  const job = await TrialJob.start(server.admin, { trace: trace.file, failAt: 'run second' })
  await job.waitForEnd()
  const answer = await server.admin.get(logPath(job, false))
  assert.equal(answer.status, 200)
  assert.equal(answer.headers.get('content-type'), 'text/plain; charset=utf-8')
  assert.deepEqual(answer.text.split('\n'), [
    'step first',
    'run first',
    'step second',
    'run second',
    'failed: SYS.1016 run second fails as scripted',
    'undo second',
    'undo second',
    'undo first',
    'undo first',
    '',
  ])
})

test('secrets are masked, control characters replaced and long lines cut', async (t) => {
  const extend = oneStep(async ({ log, conceal }) => {
    conceal('hunter2')
    log('the password is hunter2')
    log('a\u0000b')
    log('x'.repeat(100_000))
    log('漢字 and 🚢')
  })
  const server = await TestServer.start(t, { extend })
  const job = await TrialJob.start(server.admin)
  assert.equal((await job.waitForEnd()).status, 200)
  const lines = await job.log()
  assert.deepEqual(lines, ['step one', 'the password is [secret]', 'a\ufffdb', `${'x'.repeat(8192)}…`, '漢字 and 🚢'])
})

test('a step may log tens of thousands of lines at once', async (t) => {
  const count = 20_000
  const extend = oneStep(async ({ log }) => {
    for (let i = 0; i < count; i++) log(`line ${i}`)
  })
  const server = await TestServer.start(t, { extend })
  const job = await TrialJob.start(server.admin)
  assert.equal((await job.waitForEnd(20_000)).status, 200)
  const lines = await job.log()
  assert.equal(lines.length, count + 1)
  assert.equal(lines.at(-1), `line ${count - 1}`)
})

test('followers receive every line once, and the end', async (t) => {
  let resume = (): void => {}
  const resumed = new Promise<void>((resolve) => {
    resume = resolve
  })
  const extend = oneStep(async ({ log }) => {
    log('before')
    await resumed
    log('after')
  })
  const server = await TestServer.start(t, { extend })
  const job = await TrialJob.start(server.admin)
  const reader = new EventReader(server.admin, logPath(job))
  const seen: string[] = []
  for await (const { id, event, data } of reader) {
    seen.push(`${id ?? '-'} ${event ?? '-'} ${data}`)
    if (data === 'before') resume()
  }
  assert.deepEqual(seen, ['1 - step one', '2 - before', '3 - after', '- end Succeeded'])

  await t.test('Last-Event-ID continues after that line', async () => {
    const again = new EventReader(server.admin, logPath(job), { 'last-event-id': '2' })
    const [line, end] = await again.take(2)
    assert.deepEqual([line?.id, line?.data, end?.event], [3, 'after', 'end'])
  })

  const unusual = ['', 'x', '-1', '1e99', '99999999999999999999', '0x1', ' 3 ', '3.5']
  for (const lastEventId of unusual)
    await t.test(`a Last-Event-ID of "${lastEventId}" is accepted`, async () => {
      const events: string[] = []
      for await (const { data } of new EventReader(server.admin, logPath(job), { 'last-event-id': lastEventId }))
        events.push(data)
      assert.equal(events.at(-1), 'Succeeded')
      assert.equal(events.length, lastEventId === ' 3 ' ? 1 : 4)
    })

  await t.test('the token of the location is enough, for this job only', async () => {
    const answer = await server.anonymous.get(`${logPath(job, false)}?token=${job.token}`)
    assert.equal(answer.status, 200)
    const other = await TrialJob.start(server.admin)
    const refused = await server.anonymous.get(`${logPath(other, false)}?token=${job.token}`)
    assert.equal(refused.status, 401)
    assert.equal((await server.anonymous.get(logPath(job, false))).status, 401)
  })
})

test('lines can have their times', async (t) => {
  const extend = oneStep(async ({ log }) => log('\u001b[32mOK'))
  const server = await TestServer.start(t, { extend })
  const job = await TrialJob.start(server.admin)
  await job.waitForEnd()
  const { text } = await server.admin.get(`${logPath(job, false)}?timestamps=true`)
  assert.match(text, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z step one\n\S+Z \u001b\[32mOK\u001b\[0m\n$/)
  const [line] = await new EventReader(server.admin, `${logPath(job)}&timestamps=true`).take(1)
  assert.equal(line?.data, text.split('\n')[0])
})

test('a part of the log, and the lines that contain a text', async (t) => {
  const extend = oneStep(async ({ log }) => {
    for (let i = 2; i <= 2500; i++) log(i % 1000 === 0 ? `\u001b[31mErr\u001b[0mor ${i}` : `line ${i}`)
  })
  const server = await TestServer.start(t, { extend })
  const job = await TrialJob.start(server.admin)
  await job.waitForEnd()
  const linesOf = async (query: string) => {
    const { body } = await server.admin.get(`/v1/api-jobs/${job.uuid}/log-lines${query}`)
    const lines = body.lines as { number: number; time: string; line: string }[]
    for (const { time } of lines) assert.equal(new Date(time).toISOString(), time)
    const { lastNumber, nextAfter } = body
    return { lastNumber, nextAfter, numbers: lines.map(({ number }) => number), first: lines[0]?.line }
  }
  const first = await linesOf('')
  assert.deepEqual(
    [first.numbers.length, first.first, first.lastNumber, first.nextAfter],
    [1000, 'step one', 2500, 1000],
  )
  const end = await linesOf('?after=2498')
  assert.deepEqual([end.numbers, end.nextAfter], [[2499, 2500], null])
  const none = await linesOf('?after=2500')
  assert.deepEqual([none.numbers, none.lastNumber, none.nextAfter], [[], 2500, null])
  const found = await linesOf('?contains=ERROR&limit=1')
  assert.deepEqual([found.numbers, found.nextAfter], [[1000], 1000])
  assert.deepEqual((await linesOf('?contains=error&after=1000')).numbers, [2000])
  const refused = await server.admin.get(`/v1/api-jobs/${'0'.repeat(32)}/log-lines`)
  assert.equal(refused.status, 404)
})

test('the steps of a job have their states, times and log lines', async (t) => {
  const server = await TestServer.start(t, { extend: trialOperations })
  const job = await TrialJob.start(server.admin, { trace: new TrialTrace(t).file, failAt: 'run second' })
  await job.waitForEnd()
  const { body } = await server.admin.get(`/v1/api-jobs/${job.uuid}/steps`)
  const steps = body.steps as Record<string, unknown>[]
  // the steps of the trial also write `undo second` themselves, which does not start an undo
  assert.deepEqual(
    steps.map(({ name, state, undoState, logLine, undoLogLine }) => [name, state, undoState, logLine, undoLogLine]),
    [
      ['first', 'Succeeded', 'Undone', 1, 8],
      ['second', 'Failed', 'Undone', 3, 6],
      ['third', 'Skipped', null, null, null],
    ],
  )
  assert.deepEqual([body.failureFirstLine, body.failureLastLine], [5, 5])
  const times = [steps[0]?.startTime, steps[0]?.endTime, steps[1]?.undoStartTime, steps[1]?.undoEndTime]
  assert.deepEqual(times, times.toSorted())
  for (const time of times) assert.equal(new Date(String(time)).toISOString(), time)
  assert.equal(steps[2]?.startTime, null)
})

test('a reader of a long log receives all of it', async (t) => {
  const extend = oneStep(async ({ log }) => {
    for (let i = 0; i < 3000; i++) log(`${i} ${'x'.repeat(4000)}`)
  })
  const server = await TestServer.start(t, { extend })
  const job = await TrialJob.start(server.admin)
  await job.waitForEnd()
  let count = 0
  let last = ''
  for await (const { data, event } of new EventReader(server.admin, logPath(job))) {
    if (event === 'end') last = data
    else count++
  }
  assert.deepEqual([count, last], [3001, 'Succeeded'])
})

test('a line is visible soon while its step still runs', async (t) => {
  const extend = oneStep(async ({ signal }) => void (await delay(20_000, undefined, { signal })))
  const server = await TestServer.start(t, { extend })
  const job = await TrialJob.start(server.admin)
  const [line] = await new EventReader(server.admin, logPath(job)).take(1, 3000)
  assert.equal(line?.data, 'step one')
})

test('the log continues its line numbers after a restart', async (t) => {
  const server = await TestServer.start(t, { extend: trialOperations })
  const trace = new TrialTrace(t)
  const job = await TrialJob.start(server.admin, { trace: trace.file, holdAt: 'run second' })
  await job.waitFor('currentStep', 'second')
  const [first] = await new EventReader(server.admin, logPath(job)).take(1)
  assert.equal(first?.id, 1)
  await server.app.close()
  trace.release()
  const again = await TestServer.open(server.environment, { extend: trialOperations })
  t.after(() => again.app.close())
  const sequences: number[] = []
  const lines: string[] = []
  for await (const { id, data } of new EventReader(again.admin, logPath(job), { 'last-event-id': '1' })) {
    if (id !== undefined) sequences.push(id)
    lines.push(data)
  }
  assert.deepEqual(
    sequences,
    sequences.map((_, index) => index + 2),
  )
  assert.equal(lines.filter((line) => line === 'step second').length, 2)
  assert.deepEqual(lines.slice(-3), ['step third', 'run third', 'Succeeded'])
})
