import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { operation } from '@wharf/contract'
import { assertFailure, EventReader, rawBytes, serverEnvironment, TestServer, trialOperations } from '@wharf/testkit'
import { handle } from '../calls/bind.ts'
import { bindJob, type JobOperation } from '../calls/job-operation.ts'
import type { Foundation } from '../composition/resources.ts'
import { step } from '../jobs/definition.ts'
import type { ServedBinding } from './exchange.ts'

const folder = mkdtempSync(join(tmpdir(), 'wharf-drain-'))
after(() => rmSync(folder, { recursive: true }))

/** Long enough for checks meanwhile. */
const slowMs = 1000
const slow = {
  resource: 'demo',
  method: 'POST',
  structure: 'params',
  summary: 'Takes a fixed time',
  since: 'wharf-1.0.0',
  permission: 'operate',
  fields: {},
  answer: {},
} as const
const slowJob = operation({ ...slow, name: 'SlowJob', path: '/v1/slow-jobs', mode: 'job' })
const slowCall = operation({ ...slow, name: 'SlowCall', path: '/v1/slow-calls' })

function slowOperations({ jobs }: Foundation): ServedBinding[] {
  const job: JobOperation<typeof slowJob, null> = {
    operation: slowJob,
    start: ({ commit }, enqueue) => commit((tx) => enqueue(tx, { subject: null, host: null, input: null })),
    steps: [step('sleep', async () => void (await delay(slowMs)))],
    succeeded: async () => ({}),
  }
  return [bindJob(jobs, job), handle(slowCall, () => delay(slowMs, {}))]
}

async function untilRunning(server: TestServer): Promise<string> {
  for (let attempt = 0; attempt < 200; attempt++) {
    const { body } = await server.admin.get('/v1/api-jobs?q=state=Running&fields=uuid')
    const [running] = body.inventories as { uuid: string }[]
    if (running) return running.uuid
    await delay(20)
  }
  throw new Error('the job did not begin')
}

test('waiting calls return 202 immediately, streams end, and the job resumes after the restart', async (t) => {
  const environment = await serverEnvironment(t)
  const first = await TestServer.open(environment, { extend: trialOperations })
  const events = new EventReader(first.admin, '/v1/events')
  assert.equal(await events.status, 200)
  const script = JSON.stringify({ trace: join(folder, 'trace'), stepMs: 30_000 })
  const held = first.admin.post('/v1/demo-jobs', { params: { script } })
  const running = await untilRunning(first)
  const began = performance.now()
  const closed = first.app.close()
  const answer = await held
  assert.ok(performance.now() - began < 5000, 'it would have been held for 240 s')
  assert.equal(answer.status, 202)
  assert.deepEqual(Object.keys(answer.body), ['location', 'success', 'error'])
  const location = new URL(String(answer.body.location))
  assert.equal(location.pathname, `/wharf/v1/api-jobs/${running}`)
  for await (const _ of events); // it ends without the client
  await closed

  const second = await TestServer.open(environment, { extend: trialOperations })
  t.after(() => second.app.close())
  const response = await fetch(`${new URL(second.url).origin}${location.pathname}${location.search}`)
  const body = (await response.json()) as Record<string, unknown>
  assert.deepEqual([response.status, body.uuid, body.state], [202, running, 'Running'], 'at the same location')
})

const nothingKnown = {
  operation: null,
  subjectUuid: null,
  state: null,
  progress: null,
  currentStep: null,
  createDate: null,
  success: true,
  error: null,
}

test('while jobs stop, the state of a job is reported as unknown, and every other call as retryable', async (t) => {
  const server = await TestServer.start(t, { extend: slowOperations })
  const held = server.admin.post('/v1/slow-jobs')
  const uuid = await untilRunning(server)
  const closed = server.app.close()
  assert.equal((await held).status, 202)

  for (const client of [server.admin, server.anonymous]) {
    const poll = await client.get(`/v1/api-jobs/${uuid}`)
    assert.equal(poll.status, 202, '503 would mean that the job has failed')
    assert.deepEqual(poll.body, { uuid, ...nothingKnown })
    assert.ok(Number(poll.headers.get('retry-after')) > 0)
  }
  const refused = [
    await server.admin.get('/v1/tags'),
    await server.admin.post('/v1/tags', { params: { name: 'too late' } }),
    await server.admin.get(`/v1/api-jobs/${uuid}/log`),
    await server.anonymous.put('/v1/accounts/login', { logInByAccount: { accountName: 'admin', password: 'x' } }),
    await server.anonymous.get('/readyz'),
  ]
  for (const answer of refused) {
    assertFailure(answer, { status: 503, code: 'SYS.1010', details: 'shutting down' })
    assert.ok(Number(answer.headers.get('retry-after')) > 0)
  }
  assert.equal((await server.anonymous.get('/healthz')).status, 200, 'the process is still up')
  await closed
})

test('a call in progress finishes, and later calls on its connection get the usual responses', async (t) => {
  const server = await TestServer.start(t, { extend: slowOperations })
  const head = (method: string, path: string): string =>
    `${method} ${path} HTTP/1.1\r\nhost: x\r\n${Object.entries(server.admin.authorization(method, path))
      .map(([name, value]) => `${name}: ${value}\r\n`)
      .join('')}\r\n`
  const finished = rawBytes(server.url, [
    head('POST', '/v1/slow-calls'),
    slowMs / 2,
    head('GET', `/v1/api-jobs/${'a'.repeat(32)}`),
  ])
  await delay(slowMs / 4)
  const closed = server.app.close()
  const { status, text } = await finished
  assert.equal(status, 200)
  const [own, poll] = text.split(/HTTP\/1\.1 /)
  assert.equal(own, '{"success":true,"error":null}')
  assert.match(poll ?? '', /^202 [\s\S]*x-request-id[\s\S]*"state":null/)
  await closed
})
