import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { type Answer, type Client, type DemoScript, DemoTrace, demoOperations, TestServer } from '@wharf/testkit'

const later = { prefer: 'respond-async' }
const newUuid = () => randomUUID().replaceAll('-', '')

const startDemo = async (client: Client, script: DemoScript, headers: Record<string, string> = {}): Promise<string> => {
  const answer = await client.post('/v1/demo-jobs', { params: { script: JSON.stringify(script) } }, { ...later, ...headers })
  assert.equal(answer.status, 202, answer.text)
  return /api-jobs\/([0-9a-f]{32})\?/.exec(String(answer.body.location))?.[1] ?? ''
}

async function ended(client: Client, uuid: string, timeoutMs = 10_000): Promise<Answer> {
  for (const until = performance.now() + timeoutMs; ; await new Promise((resolve) => setTimeout(resolve, 20))) {
    const answer = await client.get(`/v1/api-jobs/${uuid}`)
    if (answer.status !== 202 || performance.now() > until) return answer
  }
}

const rowOf = async (client: Client, uuid: string) => {
  const answer = await client.get(`/v1/api-jobs?q=uuid=${uuid}`)
  return (answer.body.inventories as Record<string, unknown>[])[0] ?? {}
}

test('cancel stops the processes of a step, to the last of them, and undoes', async (t) => {
  const server = await TestServer.start(t, { extend: demoOperations })
  const trace = new DemoTrace(t)
  const uuid = await startDemo(server.admin, { trace: trace.file, spawnTree: true })
  await trace.has('tree began')
  assert.deepEqual((await server.admin.delete(`/v1/api-jobs/${uuid}`)).body, { success: true, error: null })
  const answer = await ended(server.admin, uuid)
  assert.equal(answer.status, 503)
  assert.equal(answer.headers.get('x-job-success'), 'false')
  assert.equal(answer.body.error?.code, 'SYS.1017')
  assert.deepEqual(trace.lines, ['run first', 'tree began', 'tree ended', 'undo second', 'undo first'])
  assert.equal((await rowOf(server.admin, uuid)).state, 'Cancelled')
})

test('the deadline of X-API-Timeout does the same', async (t) => {
  const server = await TestServer.start(t, { extend: demoOperations })
  const trace = new DemoTrace(t)
  const uuid = await startDemo(server.admin, { trace: trace.file, spawnTree: true }, { 'x-api-timeout': '1' })
  const answer = await ended(server.admin, uuid)
  assert.equal(answer.status, 503)
  assert.equal(answer.body.error?.code, 'SYS.1001')
  assert.match(answer.body.error?.details ?? '', /^StartDemo did not end within 1 s/)
  assert.deepEqual(trace.lines, ['run first', 'tree began', 'tree ended', 'undo second', 'undo first'])
  assert.equal((await rowOf(server.admin, uuid)).state, 'Failed')
})

test('a call that is held gets the failure of its cancelled job', async (t) => {
  const server = await TestServer.start(t, { extend: demoOperations })
  const trace = new DemoTrace(t)
  const uuid = newUuid()
  const script = JSON.stringify({ trace: trace.file, stepMs: 20_000 })
  const held = server.admin.post('/v1/demo-jobs', { params: { script } }, { 'idempotency-key': 'k' })
  let found: { uuid: string }[] = []
  while (found.length === 0) {
    const answer = await server.admin.get('/v1/api-jobs?q=operation=StartDemo')
    found = answer.body.inventories as { uuid: string }[]
  }
  await server.admin.delete(`/v1/api-jobs/${found[0]?.uuid ?? uuid}`)
  const answer = await held
  assert.equal(answer.status, 409)
  assert.equal(answer.body.error?.code, 'SYS.1017')
})

test('who may cancel what', async (t) => {
  const server = await TestServer.start(t, { extend: demoOperations })
  const trace = new DemoTrace(t)
  const [alice, bob, reader] = await Promise.all([
    server.signIn('operator', 'alice'),
    server.signIn('operator', 'bob'),
    server.signIn('reader', 'carol'),
  ])
  const slow = { trace: trace.file, stepMs: 20_000 }
  const ofAlice = await startDemo(alice, slow)
  const ofAdmin = await startDemo(server.admin, slow)
  const done = await startDemo(alice, { trace: trace.file })
  await ended(alice, done)
  const failed = await startDemo(alice, { trace: trace.file, failAt: 'run first' })
  await ended(alice, failed)

  const cases: { name: string; as: Client; job: string; status: number; code?: string }[] = [
    { name: 'nobody', as: server.anonymous, job: ofAlice, status: 401, code: 'ID.1001' },
    { name: 'a reader', as: reader, job: ofAlice, status: 403, code: 'ID.1002' },
    { name: 'an operator, the job of another', as: bob, job: ofAlice, status: 403, code: 'ID.1002' },
    { name: 'an operator, the job of an admin', as: alice, job: ofAdmin, status: 403, code: 'ID.1002' },
    { name: 'a job that does not exist', as: alice, job: newUuid(), status: 404, code: 'SYS.1003' },
    { name: 'a job that has succeeded', as: alice, job: done, status: 409, code: 'JOB.1001' },
    { name: 'a job that has failed', as: alice, job: failed, status: 409, code: 'JOB.1001' },
  ]
  for (const { name, as, job, status, code } of cases)
    await t.test(name, async () => {
      const answer = await as.delete(`/v1/api-jobs/${job}`)
      assert.equal(answer.status, status)
      assert.equal(answer.body.error?.code, code)
      for (const untouched of [ofAlice, ofAdmin]) assert.equal((await rowOf(alice, untouched)).state, 'Running')
    })

  for (const [name, as, job] of [
    ['an operator, its own job', alice, ofAlice],
    ['an admin, any job', server.admin, ofAdmin],
  ] as const)
    await t.test(name, async () => {
      assert.equal((await as.delete(`/v1/api-jobs/${job}`)).status, 200)
      assert.equal((await ended(as, job)).body.error?.code, 'SYS.1017')
      const again = await as.delete(`/v1/api-jobs/${job}`)
      assert.equal(again.body.error?.code, 'JOB.1001')
    })
})

test('a job that is being undone can no longer be cancelled', async (t) => {
  const server = await TestServer.start(t, { extend: demoOperations })
  const trace = new DemoTrace(t)
  const uuid = await startDemo(server.admin, { trace: trace.file, stepMs: 200, failAt: 'run first' })
  while ((await rowOf(server.admin, uuid)).state !== 'Undoing');
  const answer = await server.admin.delete(`/v1/api-jobs/${uuid}`)
  assert.equal(answer.body.error?.code, 'JOB.1001')
  assert.equal((await ended(server.admin, uuid)).body.error?.code, 'SYS.1016')
})

test('the job of an owner that died is cancelled by whoever takes it over', async (t) => {
  const trace = new DemoTrace(t)
  const first = await TestServer.start(t, { extend: demoOperations })
  const uuid = await startDemo(first.admin, { trace: trace.file, stepMs: 300, write: true })
  await trace.has('run first')
  // as if killed: the owner of another process, and no goodbye
  const { database } = first.app.foundation
  await first.app.foundation.jobs.runner.stop()
  await database.transaction((tx) =>
    tx.updateTable('jobs').set({ owner: 'gone:gone', leaseUntil: Date.now() + 1000 }).where('uuid', '=', uuid).execute(),
  )
  assert.equal((await first.admin.delete(`/v1/api-jobs/${uuid}`)).status, 200)
  await first.app.close()
  const second = await TestServer.open(first.environment, { extend: demoOperations, jobLimits: { claimMs: 50 } })
  t.after(() => second.app.close())
  const answer = await ended(second.admin, uuid)
  assert.equal(answer.body.error?.code, 'SYS.1017')
  assert.deepEqual(trace.lines, ['run first', 'undo second', 'undo first'])
})
