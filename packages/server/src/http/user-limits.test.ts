import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { userLimits } from '@wharf/platform/user-limits.ts'
import {
  assertFailure,
  EventReader,
  startTrialCall,
  TestServer,
  TrialTrace,
  trialOperations,
  UploadServer,
  uploadCaller,
} from '@wharf/testkit'

const newUuid = (): string => randomBytes(16).toString('hex')

const finishedJob = (userUuid: string, index: number) => ({
  uuid: index.toString(16).padStart(32, '0'),
  operation: 'CreateTag',
  subjectUuid: null,
  accountUuid: userUuid,
  userUuid,
  managementNodeUuid: null,
  state: 'Failed' as 'Failed' | 'Waiting',
  progress: 0,
  position: 0,
  currentStep: null,
  errorCode: 'SYS.1007',
  sealedInput: Buffer.alloc(0),
  sealedMemory: null,
  sealedOutcome: null,
  owner: null,
  fence: 1,
  leaseUntil: 0,
  deadline: index,
  cancelRequested: 0,
  createDate: index,
  lastOpDate: Date.now(),
})

async function insertJobs(server: TestServer, rows: ReturnType<typeof finishedJob>[]): Promise<void> {
  await server.app.foundation.database.transaction(async (tx) => {
    for (let from = 0; from < rows.length; from += 500)
      await tx
        .insertInto('jobs')
        .values(rows.slice(from, from + 500))
        .execute()
  })
}

test('a user has at most 500 access keys, independent of who creates them; existing ones beyond it stay, and a deletion frees one', async (t) => {
  const server = await TestServer.start(t)
  const { database } = server.app.foundation
  const reader = await server.signIn('reader')
  const { accountUuid } = reader
  const more = 2
  const keys = Array.from({ length: userLimits.accessKeys + more }, (_, index) => ({
    uuid: index.toString(16).padStart(32, '0'),
    AccessKeyID: `KEY${String(index).padStart(17, '0')}`,
    sealedSecret: Buffer.alloc(0),
    accountUuid,
    userUuid: accountUuid,
    state: 'Enabled' as const,
    scope: '[]',
    description: null,
    operations: '[]',
    allowedCidrs: '[]',
    schemes: '[]',
    createDate: 0,
    lastOpDate: 0,
  }))
  // a database of an older version has more than are allowed now
  await database.transaction((tx) => tx.insertInto('accessKeys').values(keys).execute())
  const create = (client = reader) => client.post('/v1/accesskeys', { params: { accountUuid, userUuid: accountUuid } })
  const refusal = { status: 409, code: 'ID.1006', details: `user ${accountUuid} has 500 access keys` }
  assertFailure(await create(), refusal)
  assertFailure(await create(server.admin as typeof reader), refusal)
  const count = async () => (await reader.get('/v1/accesskeys?count=true')).body.total
  assert.equal(await count(), userLimits.accessKeys + more)
  for (let index = 0; index <= more; index++) await reader.delete(`/v1/accesskeys/${keys[index]?.uuid}`)
  const answers = await Promise.all([create(), create(), create()])
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 409, 409])
  assert.equal(await count(), userLimits.accessKeys)
})

test('a user has at most 1000 open uploads, and another has its own', async (t) => {
  const server = await UploadServer.start(t)
  await server.openUpload()
  const [first] = await server.database.read.selectFrom('uploads').selectAll().execute()
  assert.ok(first)
  const rows = Array.from({ length: userLimits.openUploads - 1 }, () => ({ ...first, id: newUuid() }))
  await server.database.transaction(async (tx) => {
    for (let from = 0; from < rows.length; from += 500)
      await tx
        .insertInto('uploads')
        .values(rows.slice(from, from + 500))
        .execute()
  })
  const open = (caller: typeof uploadCaller) =>
    server.database.transaction((tx) => server.uploads.open(tx, { packageUuid: newUuid(), fileName: 'a', caller }))
  await assert.rejects(open(uploadCaller), { code: 'SYS.1006', message: /has 1000 open uploads.*delete its package/ })
  await open({ ...uploadCaller, userUuid: 'c'.repeat(32) })
  await server.database.transaction((tx) =>
    tx.updateTable('uploads').set({ state: 'Ended' }).where('id', '=', first.id).execute(),
  )
  await open(uploadCaller)
})

test('a user has at most 5000 unfinished jobs: more are rejected where they would have to wait', async (t) => {
  const server = await TestServer.start(t, { extend: trialOperations, jobLimits: { maxRunning: 1, claimMs: 60_000 } })
  const operator = await server.signIn('operator')
  const other = await server.signIn('operator')
  const trace = new TrialTrace(t)
  const script = { trace: trace.file, holdAt: 'run first' }
  const prefer = { prefer: 'respond-async' }
  assert.equal((await startTrialCall(operator, script, prefer)).status, 202)
  const { accountUuid } = operator
  const waiting = Array.from({ length: userLimits.activeJobs - 1 }, (_, index) => ({
    ...finishedJob(accountUuid, index),
    // of an unknown operation
    operation: 'None',
    state: 'Waiting' as 'Failed' | 'Waiting',
    deadline: Number.MAX_SAFE_INTEGER,
  }))
  await insertJobs(server, waiting)
  assertFailure(await startTrialCall(operator, script, prefer), {
    status: 409,
    code: 'SYS.1006',
    details: `user ${accountUuid} has 5000 unfinished jobs`,
  })
  assert.equal((await startTrialCall(other, script, prefer)).status, 202)
  trace.release()
})

test('of the rejected calls that are stored as jobs a user has the newest 2000', async (t) => {
  const server = await TestServer.start(t)
  const operator = await server.signIn('operator')
  const { accountUuid } = operator
  const count = async () => (await server.admin.get(`/v1/api-jobs?q=userUuid=${accountUuid}&count=true`)).body.total
  const old = Array.from({ length: userLimits.refusedCalls }, (_, index) => finishedJob(accountUuid, index))
  const ran = { ...finishedJob(accountUuid, 0), uuid: 'e'.repeat(32), deadline: 1000 }
  await insertJobs(server, [...old, ran])
  for (let time = 0; time < 3; time++) {
    const uuid = newUuid()
    const refused = await operator.post('/v1/tags', { params: {} }, { 'x-job-uuid': uuid })
    assert.equal(refused.status, 202)
    assert.equal((await operator.get(`/v1/api-jobs/${uuid}`)).body.error?.code, 'SYS.1007')
  }
  assert.equal(await count(), userLimits.refusedCalls + 1)
  for (const [uuid, status] of [
    [old[2]?.uuid, 404],
    [old[3]?.uuid, 200],
    [ran.uuid, 200],
  ] as const) {
    const { body } = await server.admin.get(`/v1/api-jobs?q=uuid=${uuid}`)
    assert.equal((body.inventories as object[]).length, status === 200 ? 1 : 0)
  }
})

test('a user that has used up its idempotency keys gets the time to retry; calls without one continue', async (t) => {
  const server = await TestServer.start(t, { userLimits: { idempotencyKeysPerDay: 2 } })
  const operator = await server.signIn('operator')
  const tag = (name: string, key?: string) =>
    operator.post('/v1/tags', { params: { name } }, key === undefined ? {} : { 'idempotency-key': key })
  assert.deepEqual([(await tag('a', 'a')).status, (await tag('b', 'b')).status], [200, 200])
  assert.equal((await tag('a', 'a')).status, 200, 'the same call again is not a new key')
  const refused = await tag('c', 'c')
  assertFailure(refused, { status: 503, code: 'SYS.1010', details: 'has used 2 idempotency keys within a day' })
  assert.ok(Number(refused.headers.get('retry-after')) > 80_000)
  assert.equal((await tag('c')).status, 200)
  assert.equal((await server.admin.post('/v1/tags', { params: { name: 'd' } }, { 'idempotency-key': 'd' })).status, 200)
})

test('streams are counted by user and by address; a closed one frees its slot', async (t) => {
  const limits = { openStreams: 2, openStreamsPerAddress: 3 }
  const server = await TestServer.start(t, { userLimits: limits })
  const [one, two] = [await server.signIn('reader'), await server.signIn('reader')]
  const readers: EventReader[] = []
  const opened = async (client: typeof one): Promise<number> => {
    const reader = new EventReader(client, '/v1/events')
    readers.push(reader)
    return reader.status
  }
  assert.deepEqual([await opened(one), await opened(one)], [200, 200])
  assertFailure(await one.get('/v1/events'), { status: 409, code: 'SYS.1006', details: 'has 2 open streams' })
  assert.equal(await opened(two), 200)
  assertFailure(await two.get('/v1/events'), { status: 409, code: 'SYS.1006', details: '3 streams to 127.0.0.1' })
  readers[0]?.stop()
  while (server.app.foundation.streams.size > 2) await new Promise((resolve) => setTimeout(resolve, 5))
  assert.equal(await opened(one), 200)
  for (const reader of readers) reader.stop()
})

test('a user with too many waiting calls gets 202 immediately; its job runs', async (t) => {
  const server = await TestServer.start(t, { extend: trialOperations, userLimits: { waitingCalls: 2 } })
  const operator = await server.signIn('operator')
  const trace = new TrialTrace(t)
  const start = () => startTrialCall(operator, { trace: trace.file, holdAt: 'run first' })
  const held = [start(), start()]
  while (server.app.foundation.jobs.runner.runningCount < 2) await new Promise((resolve) => setTimeout(resolve, 5))
  assert.equal((await start()).status, 202)
  trace.release()
  for (const answer of held) assert.equal((await answer).status, 200)
  assert.equal((await start()).status, 200, 'there is room again')
})
