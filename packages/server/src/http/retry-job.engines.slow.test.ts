import assert from 'node:assert/strict'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import {
  type Answer,
  assertFailure,
  type Client,
  installable,
  PackageFixture,
  recordIn,
  TrialJob,
  TrialTrace,
  trialOperations,
} from '@wharf/testkit'

const fixture = await PackageFixture.start({ after }, { extend: trialOperations })
const { source, folder, server, admin } = fixture
const { database } = server.app.foundation
const password = { type: 'string', writeOnly: true }
const broken = join(folder, 'broken')
/** Fails while the file exists, and otherwise keeps its configuration. */
const install = `if test -e ${broken}; then cat >/dev/null; echo "${broken} exists"; exit 3; fi; cat >installed`
const config = { type: 'object', properties: { password } }
const url = source.serve('demo.tar', installable({ hooks: { install }, config }))

type Job = Record<string, string | boolean | null>

async function jobs(...q: string[]): Promise<Job[]> {
  const query = q.map((condition) => `q=${encodeURIComponent(condition)}`).join('&')
  const { body, text } = await admin.get(`/v1/api-jobs?${query}&sort=-createDate`)
  assert.ok(body.inventories, text)
  return body.inventories as Job[]
}

const retry = (uuid: unknown, client: Client = admin, headers: Record<string, string> = {}): Promise<Answer> =>
  client.put(`/v1/api-jobs/${uuid}/actions`, { retryApiJob: {} }, headers)

const ended = (uuid: unknown): Promise<Answer> => new TrialJob(admin, `${server.url}/v1/api-jobs/${uuid}`).waitForEnd()

async function newJob(answer: Answer): Promise<Job> {
  assert.equal(answer.status, 200, answer.text)
  return answer.body.inventory as Job
}

let count = 0
const upload = (more: object = {}): Promise<Answer> =>
  fixture.upload({ url, installPath: join(folder, `p${count++}.tar`), ...more })

test('a job contains the names of its records, its user and its end', async () => {
  const { uuid } = recordIn(await upload({ name: 'exporter' }))
  assert.equal((await fixture.install(uuid, {})).status, 200)
  assert.equal((await fixture.remove(uuid)).status, 200)
  const [removed, installed, uploaded] = await jobs(`subjectUuid=${uuid}`)
  const [{ name: targetName }] = (await admin.get('/v1/hosts')).body.inventories as [{ name: string }]
  const names = { subjectName: 'exporter', subjectVersion: '1.0.0', targetName, userName: 'admin' }
  for (const [job, expected] of [
    [uploaded, { subjectVersion: null, summary: `Upload exporter to ${targetName}, started by admin` }],
    [installed, { summary: `Install exporter 1.0.0 on ${targetName}, started by admin` }],
    [removed, { summary: `Delete exporter 1.0.0 from ${targetName}, started by admin` }],
  ] as const)
    assert.partialDeepStrictEqual(job, { ...names, canRetry: false, ...expected })
  assert.ok(installed?.endDate)
  assert.deepEqual(
    (await jobs('summary~=%INSTALL EXPORTER 1.0%')).map((job) => job.uuid),
    [installed.uuid],
  )
})

test('a failed installation is retried with the same configuration, its secrets included', async () => {
  const { uuid, unzipInstallPath } = recordIn(await upload())
  writeFileSync(broken, '')
  assertFailure(await fixture.install(uuid, { password: 'hunter2' }), { status: 502, code: 'SoftwarePackage.1300' })
  rmSync(broken)
  const [failed] = await jobs(`subjectUuid=${uuid}`, 'operation=InstallSoftwarePackage')
  assert.deepEqual([failed?.state, failed?.canRetry], ['Failed', true])
  const job = await newJob(await retry(failed?.uuid))
  assert.notEqual(job.uuid, failed?.uuid)
  assert.equal((await ended(job.uuid)).status, 200)
  assert.equal((await fixture.get(uuid)).status, 'Installed')
  assert.match(readFileSync(join(String(unzipInstallPath), 'installed'), 'utf8'), /hunter2/)
  const row = await database.read
    .selectFrom('jobs')
    .select(['state', 'sealedCall'])
    .where('uuid', '=', String(job.uuid))
    .executeTakeFirst()
  assert.deepEqual({ ...row }, { state: 'Succeeded', sealedCall: null })
  assertFailure(await retry(failed?.uuid), { status: 409, code: 'SYS.1006', details: 'it was retried before' })
  assert.equal((await jobs(`uuid=${failed?.uuid}`))[0]?.canRetry, false)
})

test('a retried upload replaces the record of the failed one', async () => {
  const resourceUuid = 'ab'.repeat(16)
  const late = source.serve('late.tar', (response) => void response.writeHead(404).end())
  assertFailure(await upload({ url: late, resourceUuid }), { status: 502, code: 'SYS.1015' })
  source.serve('late.tar', installable())
  const [failed] = await jobs(`subjectUuid=${resourceUuid}`)
  const job = await newJob(await retry(failed?.uuid))
  assert.equal(job.subjectUuid, resourceUuid)
  assert.equal((await ended(job.uuid)).status, 200)
  assert.equal((await fixture.get(resourceUuid)).status, 'Uploaded')
})

test('a repeated retry with the same key starts one job', async (t) => {
  const { file: trace } = new TrialTrace(t)
  const job = await TrialJob.start(admin, { trace, failAt: 'run first' })
  await job.waitForEnd()
  const headers = { 'idempotency-key': 'retry-1' }
  const [first, second] = [await retry(job.uuid, admin, headers), await retry(job.uuid, admin, headers)]
  assert.equal((await newJob(first)).uuid, (await newJob(second)).uuid)
  await ended((await newJob(first)).uuid)
})

test('a user retries their own jobs, an admin any job', async (t) => {
  const { file: trace } = new TrialTrace(t)
  const alice = await server.signIn('operator', 'alice')
  const bob = await server.signIn('operator', 'bob')
  const job = await TrialJob.start(alice, { trace, failAt: 'run first' })
  await job.waitForEnd()
  assertFailure(await retry(job.uuid, bob), { status: 403, code: 'ID.1002', details: 'another user' })
  const repeated = await newJob(await retry(job.uuid, alice))
  assert.equal(repeated.userName, 'alice')
  await ended(repeated.uuid)
  assert.equal((await newJob(await retry(repeated.uuid))).userName, 'admin')
})

test('of concurrent retries one starts a job', async (t) => {
  const { file: trace } = new TrialTrace(t)
  const job = await TrialJob.start(admin, { trace, failAt: 'run first' })
  await job.waitForEnd()
  const answers = await Promise.all(Array.from({ length: 4 }, () => retry(job.uuid)))
  const [started, ...refused] = answers.toSorted((a, b) => a.status - b.status)
  assert.deepEqual(
    refused.map(({ status }) => status),
    [409, 409, 409],
  )
  await ended((await newJob(started as Answer)).uuid)
})

test('a refused retry keeps the stored call', async () => {
  const { uuid } = recordIn(await upload())
  writeFileSync(broken, '')
  await fixture.install(uuid, {})
  rmSync(broken)
  const [failed] = await jobs(`subjectUuid=${uuid}`, 'operation=InstallSoftwarePackage')
  assert.equal((await fixture.install(uuid, {})).status, 200)
  assertFailure(await retry(failed?.uuid), { status: 409, code: 'SYS.1005', details: 'is Installed; to install it' })
  assert.equal((await jobs(`uuid=${failed?.uuid}`))[0]?.canRetry, true)
})

test('a failed upload that another job works on is not replaced', async () => {
  const resourceUuid = 'ac'.repeat(16)
  const missing = source.serve('missing.tar', (response) => void response.writeHead(404).end())
  assertFailure(await upload({ url: missing, resourceUuid }), { status: 502, code: 'SYS.1015' })
  const [failed] = await jobs(`subjectUuid=${resourceUuid}`)
  const row = await database.read
    .selectFrom('jobs')
    .selectAll()
    .where('uuid', '=', String(failed?.uuid))
    .executeTakeFirstOrThrow()
  // a job of another node, which this one cannot run
  const deletion = { uuid: 'ef'.repeat(16), operation: 'DeleteSoftwarePackage', managementNodeUuid: 'e'.repeat(32) }
  await database.transaction((tx) =>
    tx
      .insertInto('jobs')
      .values({ ...row, ...deletion, state: 'Waiting', sealedCall: null })
      .execute(),
  )
  assertFailure(await retry(failed?.uuid), { status: 409, code: 'SYS.1004', details: 'is still running' })
  await database.transaction((tx) => tx.deleteFrom('jobs').where('uuid', '=', deletion.uuid).execute())
})

test('the retention removes stored calls a day after the end, and those of succeeded jobs', async (t) => {
  const { file: trace } = new TrialTrace(t)
  const job = await TrialJob.start(admin, { trace, failAt: 'run first' })
  await job.waitForEnd()
  const change = (columns: object) =>
    database.transaction((tx) => tx.updateTable('jobs').set(columns).where('uuid', '=', job.uuid).execute())
  const hasCall = async () => {
    await server.app.foundation.jobs.removeOld()
    const { sealedCall } = await server.app.foundation.jobs.get(job.uuid)
    return sealedCall !== null
  }
  assert.equal(await hasCall(), true)
  const { sealedCall } = await server.app.foundation.jobs.get(job.uuid)
  await change({ lastOpDate: Date.now() - 25 * 3_600_000 })
  assert.equal(await hasCall(), false)
  await change({ sealedCall, lastOpDate: Date.now(), state: 'Succeeded' })
  assert.equal(await hasCall(), false)
})

test('the role must allow the repeated operation', async () => {
  const params = { name: 'gone', type: 'folder', url: `file://${join(folder, 'missing')}` }
  const carol = await server.signIn('admin', 'carol')
  assert.notEqual((await carol.post('/v1/backup-storage', { params })).status, 200)
  const [failed] = await jobs('operation=AddBackupStorage')
  if (failed === undefined) return assert.fail('the addition failed before its job')
  await admin.put(`/v1/users/${carol.accountUuid}/actions`, { updateUser: { role: 'operator' } })
  assertFailure(await retry(failed.uuid, carol), { status: 403, code: 'ID.1002', details: 'AddBackupStorage' })
})

test('a job that runs, has succeeded, or has no stored call is not retried', async (t) => {
  const trace = new TrialTrace(t)
  const job = await TrialJob.start(admin, { trace: trace.file, holdAt: 'run first' })
  assertFailure(await retry(job.uuid), { status: 409, code: 'SYS.1005', details: 'is Running; only a failed' })
  trace.release()
  await job.waitForEnd()
  assertFailure(await retry(job.uuid), { status: 409, code: 'SYS.1005', details: 'is Succeeded; only a failed' })
  const uuid = 'cd'.repeat(16)
  const refused = await fixture.install('f'.repeat(32), {}, { 'x-job-uuid': uuid })
  assert.equal(refused.status, 202, refused.text)
  assertFailure(await retry(uuid), { status: 409, code: 'SYS.1006', details: 'has no stored call to repeat' })
  assertFailure(await retry('f'.repeat(32)), { status: 404, code: 'SYS.1003' })
})

test('the retry of a job whose record was deleted is refused', async () => {
  const { uuid } = recordIn(await upload())
  writeFileSync(broken, '')
  await fixture.install(uuid, {})
  rmSync(broken)
  const [failed] = await jobs(`subjectUuid=${uuid}`, 'operation=InstallSoftwarePackage')
  await fixture.remove(uuid)
  assertFailure(await retry(failed?.uuid), { status: 404, code: 'SYS.1003' })
})
