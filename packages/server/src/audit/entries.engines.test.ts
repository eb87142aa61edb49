import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { inventories } from '@wharf/contract'
import type { OpenedDatabase } from '@wharf/database/sqlite.ts'
import {
  type Client,
  installable,
  recordIn,
  TestServer,
  TrialJob,
  TrialTrace,
  testOnce,
  trialOperations,
  tusPatch,
} from '@wharf/testkit'
import { sql } from 'kysely'
import { TagService } from '../resources/tags/service.ts'
import { anonymousActor, noOrigin } from './audit-source.ts'
import { readResourceName } from './resource-names.ts'

type Entry = Record<string, unknown> & { changes: Record<string, { before: unknown; after: unknown }> }

const server = await TestServer.start({ after }, { extend: trialOperations })
const { admin, anonymous, bootstrap } = server
const trace = new TrialTrace({ after }).file
const { audit, database } = server.app.foundation
const reader = await server.signIn('reader', 'rita')

async function entries(...conditions: string[]): Promise<Entry[]> {
  const q = conditions.map((condition) => `q=${encodeURIComponent(condition)}`).join('&')
  return (await admin.get(`/v1/audit-entries?${q}`)).body.inventories as Entry[]
}

async function onlyEntry(...conditions: string[]): Promise<Entry> {
  const found = await entries(...conditions)
  assert.equal(found.length, 1, `${conditions}: ${JSON.stringify(found)}`)
  return found[0] as Entry
}

async function createTag(name: string, client: Client = admin): Promise<string> {
  const { body } = await client.post('/v1/tags', { params: { name } }, { 'user-agent': 'a client' })
  return (body.inventory as { uuid: string }).uuid
}

test('a change has one entry: who, from where, what, before and after', async () => {
  const uuid = await createTag('first')
  const created = await onlyEntry(`resourceUuid=${uuid}`)
  const { seq: _, hash: __, startDate: ___, endDate: ____, requestId, ...rest } = created
  assert.match(String(requestId), /^[0-9a-f]{32}$/)
  assert.deepEqual(
    { ...rest, uuid: '' },
    {
      uuid: '',
      managementNodeUuid: bootstrap.managementNodeUuid,
      operation: 'CreateTag',
      method: 'POST',
      path: '/v1/tags',
      actorKind: 'AccessKey',
      accountUuid: bootstrap.accountUuid,
      userUuid: bootstrap.userUuid,
      actorName: 'admin',
      role: 'admin',
      credentialUuid: await adminKeyUuid(),
      sourceIp: '127.0.0.1',
      userAgent: 'a client',
      resourceType: 'Tag',
      resourceUuid: uuid,
      resourceName: 'first',
      changes: { name: { before: null, after: 'first' } },
      outcome: 'Success',
      status: 200,
      errorCode: null,
      jobUuid: null,
      count: 1,
    },
  )
  await admin.delete(`/v1/tags/${uuid}`)
  const deleted = await onlyEntry(`resourceUuid=${uuid}`, 'operation=DeleteTag')
  assert.deepEqual([deleted.resourceName, deleted.changes], ['first', { name: { before: 'first', after: null } }])
})

async function adminKeyUuid(): Promise<string> {
  const { body } = await admin.get(`/v1/accesskeys?q=AccessKeyID=${bootstrap.accessKeyId}`)
  return (body.inventories as { uuid: string }[])[0]?.uuid ?? ''
}

test('an update shows only what it changes; one without an effect has an entry without changes', async () => {
  const fields = { name: 'nightly', selector: [], cron: '0 2 * * *', durationMinutes: 60, timeZone: 'UTC' }
  const { body } = await admin.post('/v1/maintenance-windows', { params: { ...fields, cutoffMinutes: 0 } })
  const { uuid } = body.inventory as { uuid: string }
  for (const durationMinutes of [90, 90])
    await admin.put(`/v1/maintenance-windows/${uuid}/actions`, { updateMaintenanceWindow: { durationMinutes } })
  const [changed, same] = await entries(`resourceUuid=${uuid}`, 'operation=UpdateMaintenanceWindow')
  assert.deepEqual(changed?.changes, { durationMinutes: { before: 60, after: 90 } })
  assert.deepEqual([same?.changes, same?.outcome], [{}, 'Success'])
})

test('a secret is a keyed hash: the same value has the same, another record another', async () => {
  const endpoint = async (name: string, secret: string): Promise<string> => {
    const params = { name, type: 'DingTalk', url: 'https://oapi.dingtalk.com/robot/send?access_token=a', secret }
    const { body } = await admin.post('/v1/sns/application-endpoints/chatapp', { params })
    return (body.inventory as { uuid: string }).uuid
  }
  const [one, two] = [await endpoint('one', 'opensesame'), await endpoint('two', 'opensesame')]
  const action = `/v1/sns/application-endpoints/chatapp/${one}/actions`
  await admin.put(action, { updateChatAppEndpoint: { secret: 'opensesame', name: 'renamed' } })
  await admin.put(action, { updateChatAppEndpoint: { secret: 'another' } })
  const ofOne = await entries(`resourceUuid=${one}`)
  const [created, renamed, changed] = ofOne
  const [other] = await entries(`resourceUuid=${two}`)
  assert.deepEqual(renamed?.changes, { name: { before: 'one', after: 'renamed' } })
  const { before, after: now } = changed?.changes.sealedSecret ?? {}
  assert.match(String(now), /^hmac-sha256:[0-9a-f]{64}$/)
  assert.notEqual(now, before)
  assert.equal(before, created?.changes.sealedSecret?.after)
  assert.notEqual(before, other?.changes.sealedSecret?.after)
  assert.ok(!JSON.stringify([...ofOne, other]).includes('opensesame'))
})

test('a transaction that is rolled back leaves neither the change nor an entry', async () => {
  const tags = new TagService(server.app.foundation)
  const uuid = 'ab'.repeat(16)
  const work = database.transaction(async (tx) => {
    await tags.create(tx, { name: 'never', resourceUuid: uuid })
    throw new Error('rolled back')
  })
  await assert.rejects(work)
  assert.deepEqual(await entries(`resourceUuid=${uuid}`), [])
})

test('a call that fails has an entry with its status and error, and no change', async () => {
  await createTag('taken')
  const uuid = 'cd'.repeat(16)
  await admin.post('/v1/tags', { params: { name: 'taken' } })
  await admin.post('/v1/tags', { params: { color: 7 } })
  await admin.delete(`/v1/hosts/${uuid}`)
  const [taken, malformed] = await entries('operation=CreateTag', 'outcome=Failure')
  assert.deepEqual([taken?.status, taken?.errorCode, taken?.changes], [409, 'SYS.1002', {}])
  assert.deepEqual([malformed?.status, malformed?.errorCode], [400, 'SYS.1007'])
  const missing = await onlyEntry(`resourceUuid=${uuid}`)
  assert.deepEqual([missing.operation, missing.resourceType, missing.status], ['DeleteHost', 'Host', 404])
  assert.equal(missing.resourceName, null)
})

test('an entry without changes names its record too', async () => {
  const uuid = await createTag('named')
  await reader.delete(`/v1/tags/${uuid}`)
  const refused = await onlyEntry(`resourceUuid=${uuid}`, 'operation=DeleteTag')
  assert.deepEqual([refused.outcome, refused.resourceName, refused.changes], ['Denied', 'named', {}])
  await database.transaction(async (tx) => {
    const types = new Set(inventories.flatMap(({ events }) => events))
    for (const type of types) assert.equal(await readResourceName(tx, type, 'ef'.repeat(16)), null)
  })
})

test('the entries of attached and removed tags name the record that has them', async () => {
  const { hostUuid } = bootstrap
  const params = { resourceUuid: hostUuid, resourceType: 'Host', tag: 'tagged' }
  const { body } = await admin.post('/v1/user-tags', { params })
  await admin.delete(`/v1/user-tags/${(body.inventory as { uuid: string }).uuid}`)
  for (const operation of ['CreateUserTag', 'DeleteUserTag']) {
    const { resourceName, changes } = await onlyEntry(`resourceUuid=${hostUuid}`, `operation=${operation}`)
    assert.deepEqual([resourceName, Object.keys(changes)], ['this-node', ['userTags']])
  }
})

test('reads are not recorded, unless they are refused', async () => {
  const count = async () => Number((await admin.get('/v1/audit-entries?count=true')).body.total)
  const before = await count()
  await admin.get('/v1/tags')
  await admin.get(`/v1/tags/${'0'.repeat(32)}`)
  assert.equal(await count(), before)
  await reader.get('/v1/audit-entries')
  const denied = await onlyEntry('operation=QueryAuditEntry')
  const { outcome, status, errorCode, actorKind, actorName, role } = denied
  assert.deepEqual(
    { outcome, status, errorCode, actorKind, actorName, role },
    { outcome: 'Denied', status: 403, errorCode: 'ID.1002', actorKind: 'Session', actorName: 'rita', role: 'reader' },
  )
})

test('equal refused calls within ten seconds are one entry with their count', async () => {
  for (let call = 0; call < 7; call++) await reader.delete(`/v1/hosts/${'7'.repeat(32)}`)
  for (let call = 0; call < 3; call++) await anonymous.delete(`/v1/hosts/${'0'.repeat(32)}`)
  await audit.chainNow()
  const [denied, unknown] = await entries('operation=DeleteHost', 'outcome=Denied')
  assert.deepEqual([denied?.count, denied?.actorName, denied?.seq], [7, 'rita', null])
  assert.deepEqual([unknown?.count, unknown?.actorKind, unknown?.status], [3, 'Anonymous', 401])
})

test('refused sign-ins of one address have an entry for each name', async () => {
  for (const accountName of ['alice', 'bob', 'alice'])
    await anonymous.put('/v1/accounts/login', { logInByAccount: { accountName, password: 'wrong' } })
  await audit.chainNow()
  const denied = await entries('operation=LogInByAccount', 'outcome=Denied')
  assert.deepEqual(Object.fromEntries(denied.map(({ actorName, count }) => [actorName, count])), { alice: 2, bob: 1 })
})

/** A refused call of a user of its own on one of many records. */
const refuse = (userUuid: string, record: number, operation = 'DeleteCluster') =>
  audit.recordUnchanged(
    {
      ...noOrigin,
      operation,
      startDate: Date.now(),
      actor: { ...anonymousActor, actorKind: 'Session', userUuid, actorName: userUuid },
      path: `/v1/records/${record}`,
      isRecorded: false,
      isAccepted: false,
    },
    { outcome: 'Denied', status: 403, errorCode: 'ID.1002', resourceType: 'Host', resourceUuid: `${record}` },
  )

test('a source that is refused for many records has entries for twenty of them, and one that counts the others', async () => {
  for (let call = 0; call < 50; call++) await refuse('many', call % 25)
  await refuse('many', 25, 'DeleteRollout')
  await refuse('another', 25)
  await audit.chainNow()
  const ofMany = ['operation=DeleteCluster', 'userUuid=many']
  const named = await entries(...ofMany, 'resourceUuid not null')
  const rest = await onlyEntry(...ofMany, 'resourceUuid is null')
  assert.deepEqual([named.length, ...new Set(named.map(({ count }) => count))], [20, 2])
  const { count, path, resourceType, resourceUuid, resourceName, actorName } = rest
  assert.deepEqual([count, path, resourceType, resourceUuid, resourceName], [10, null, 'Host', null, null])
  assert.equal(actorName, 'many', 'a known caller keeps its name')
  assert.equal((await onlyEntry('operation=DeleteRollout')).resourceUuid, null)
  assert.equal((await onlyEntry('operation=DeleteCluster', 'userUuid=another')).resourceUuid, '25')
})

test('the actions of one path are distinguished when they are refused', async () => {
  await reader.put(`/v1/hosts/${'0'.repeat(32)}/actions`, { reconnectHost: {} })
  assert.equal((await onlyEntry('operation=ReconnectHost')).outcome, 'Denied')
})

test('a sign-in, a failed one and a sign-out have entries; no entry has a session id', async () => {
  const logIn = (password: string) =>
    anonymous.put('/v1/accounts/login', { logInByAccount: { accountName: 'rita', password } })
  await logIn('wrong')
  const { uuid } = (await logIn('password of rita')).body.inventory as { uuid: string }
  await anonymous.delete(`/v1/accounts/sessions/${uuid}`)
  const denied = await onlyEntry('operation=LogInByAccount', 'outcome=Denied', 'actorName=rita')
  assert.deepEqual([denied.actorKind, denied.actorName, denied.userUuid], ['Anonymous', 'rita', null])
  const signedIn = (await entries('operation=LogInByAccount', 'outcome=Success', 'actorName=rita')).at(-1)
  const signedOut = await onlyEntry('operation=LogOut')
  for (const entry of [signedIn, signedOut]) {
    assert.deepEqual([entry?.actorKind, entry?.resourceType], ['Session', 'Session'])
    assert.equal(entry?.userUuid, reader.accountUuid)
    assert.equal(entry?.credentialUuid, entry?.resourceUuid)
  }
  assert.equal(signedIn?.credentialUuid, signedOut.credentialUuid)
  assert.ok(!JSON.stringify(await entries()).includes(uuid))
})

test('a call of a session names it as the sign-in does', async () => {
  const olga = await server.signIn('operator', 'olga')
  const uuid = await createTag('of olga', olga)
  const [signIn] = await entries('operation=LogInByAccount', 'actorName=olga')
  assert.equal((await onlyEntry(`resourceUuid=${uuid}`)).credentialUuid, signIn?.credentialUuid)
})

test('a job has one entry when it is accepted and one when it ends', async () => {
  const subjectUuid = await createTag('worked on')
  const job = await TrialJob.start(admin, { trace }, { subjectUuid })
  await job.waitFor('state', 'Succeeded')
  const [accepted, ended, ...others] = await entries(`jobUuid=${job.uuid}`)
  assert.deepEqual(others, [])
  for (const entry of [accepted, ended]) {
    assert.deepEqual([entry?.operation, entry?.resourceUuid, entry?.actorName], ['StartDemo', subjectUuid, 'admin'])
    assert.deepEqual([entry?.outcome, entry?.sourceIp, entry?.path], ['Success', '127.0.0.1', '/v1/demo-jobs'])
  }
  assert.deepEqual([accepted?.status, ended?.status], [202, 200])
})

test('the end of a job that fails has its error; the call has no further entry', async () => {
  const job = await TrialJob.start(admin, { trace, failAt: 'run second' })
  await job.waitFor('state', 'Failed')
  const [accepted, ended, ...others] = await entries(`jobUuid=${job.uuid}`)
  assert.deepEqual([accepted?.outcome, ended?.outcome, others], ['Success', 'Failure', []])
  assert.ok(ended?.errorCode)
  assert.deepEqual(await entries('operation=StartDemo', 'outcome=Failure', 'jobUuid is null'), [])
})

/** Opens an upload as olga, lets `prepare` change its row, sends all bytes, and returns the entries of the job that follows. */
async function sliced(name: string, prepare = async (_packageUuid: string): Promise<void> => {}): Promise<Entry[]> {
  const olga = await server.signIn('operator', `olga of ${name}`)
  const bytes = installable()
  const params = { name, type: 'tool', url: `upload://p.tar?size=${bytes.length}`, installPath: name }
  const opened = await olga.post(
    '/v1/software-packages/backup-storage/upload',
    { params: { ...params, backupStorageUuid: bootstrap.backupStorageUuid } },
    { 'user-agent': 'a browser' },
  )
  const { uuid } = recordIn(opened)
  await prepare(uuid)
  const url = String((opened.body.systemTags as string[])[0]).replace(/^uploadUrl::/, '')
  assert.equal((await tusPatch(url, 0, bytes)).status, 204)
  for (let wait = 0; wait < 200; wait++) {
    const found = await entries(`resourceUuid=${uuid}`)
    if (found.length >= 3) return found
    await delay(20)
  }
  throw new Error(`the job of ${name} has not ended`)
}

test('a job that starts when all slices of an upload have arrived has the actor and the origin of the call that opened it', async () => {
  const [opened, accepted, ended] = await sliced('sliced')
  assert.deepEqual([opened?.actorName, opened?.userAgent, opened?.jobUuid], ['olga of sliced', 'a browser', null])
  assert.ok(accepted?.jobUuid)
  assert.deepEqual([ended?.jobUuid, ended?.outcome], [accepted.jobUuid, 'Success'])
  const ofCall = ['operation', 'actorKind', 'actorName', 'userUuid', 'role', 'credentialUuid', 'sourceIp', 'userAgent']
  for (const field of [...ofCall, 'requestId', 'method', 'path'])
    assert.deepEqual([accepted[field], ended?.[field]], [opened?.[field], opened?.[field]], field)
})

test('an upload that an older version opened is finished by System', async () => {
  const [, accepted, ended] = await sliced('older', (packageUuid) =>
    database.transaction(async (tx) => {
      await tx.updateTable('uploads').set({ auditSource: null }).where('packageUuid', '=', packageUuid).execute()
    }),
  )
  assert.deepEqual([accepted?.actorKind, ended?.actorKind, ended?.actorName], ['System', 'System', 'olga of older'])
})

test('an account and its built-in user, which share their uuid, share their entry', async () => {
  const { accountUuid } = await server.signIn('operator', 'otto')
  const created = await onlyEntry(`resourceUuid=${accountUuid}`)
  assert.deepEqual(
    [created.operation, created.resourceType, created.resourceName],
    ['CreateAccount', 'Account', 'otto'],
  )
  assert.equal(created.changes.role?.after, 'operator')
  await admin.put(`/v1/accounts/${accountUuid}/actions`, { updateAccount: { password: 'a new password' } })
  const changed = await onlyEntry(`resourceUuid=${accountUuid}`, 'operation=UpdateAccount')
  assert.deepEqual(Object.keys(changed.changes), ['passwordHash'])
})

test('what Wharf does automatically has System as its actor', async () => {
  const started = await entries('operation=Bootstrap')
  assert.ok(started.some(({ resourceType }) => resourceType === 'Account'))
  for (const { actorKind, userUuid, method, status } of started)
    assert.deepEqual([actorKind, userUuid, method, status], ['System', null, null, null])
})

/** Runs the work while this table has another name. */
async function without(table: string, work: () => Promise<void>): Promise<void> {
  const { writer } = database as OpenedDatabase
  const rename = (from: string, to: string) =>
    sql`alter table ${sql.table(from)} rename to ${sql.table(to)}`.execute(writer)
  await rename(table, `${table}Away`)
  try {
    await work()
  } finally {
    await rename(`${table}Away`, table)
  }
}

const readiness = async () => {
  const response = await fetch(`${server.url}/readyz`)
  return [response.status, await response.text()] as const
}

test('without an entry there is no change: 503, and the node is not ready until entries can be written', async () => {
  await without('pendingAuditEntries', async () => {
    const refused = await admin.post('/v1/tags', { params: { name: 'unrecorded' } })
    assert.deepEqual([refused.status, refused.body.error?.code], [503, 'SYS.1010'])
    const [status, text] = await readiness()
    assert.equal(status, 503)
    assert.match(text, /audit entries cannot be written: .*pendingAuditEntries/)
    assert.equal((await admin.get('/v1/tags?q=name=unrecorded&count=true')).body.total, 0)
    assert.equal((await anonymous.delete(`/v1/tags/${'1'.repeat(32)}`)).status, 401, 'recorded in another table')
    assert.equal((await readiness())[0], 503)
  })
  await without('auditEntries', async () => {
    assert.equal((await anonymous.delete(`/v1/tags/${'0'.repeat(32)}`)).status, 503)
    const [status, text] = await readiness()
    assert.equal(status, 503)
    assert.match(text, /audit entries cannot be written: .*auditEntries/)
  })
  assert.equal((await fetch(`${server.url}/readyz`)).status, 200)
  await createTag('recorded again')
})

test('while entries are written but cannot be chained, the node is ready with a warning', async () => {
  await without('auditChain', async () => {
    await createTag('chained later')
    await audit.chainNow()
    const [status, text] = await readiness()
    assert.equal(status, 200)
    assert.match(text, /"audit entries cannot be chained: [^,]*auditChain[^,]*; no entry is lost/)
  })
  await audit.chainNow()
  assert.deepEqual(await readiness(), [200, '{"status":"ready"}'])
})

test('entries are chained within a second or so, in their order and without gaps', async () => {
  await createTag('chained')
  // not by the API, which chains them itself
  const pending = () => database.read.selectFrom('pendingAuditEntries').select('id').executeTakeFirst()
  for (let wait = 0; wait < 100 && (await pending()) !== undefined; wait++) await delay(100)
  assert.equal(await pending(), undefined)
  const chained = (await entries('seq not null')).map(({ seq }) => Number(seq)).sort((a, b) => a - b)
  assert.deepEqual(
    chained,
    [...chained.keys()].map((index) => index + 1),
  )
})

testOnce('with too many sources, the calls of further ones are one entry per operation', async () => {
  const sources = Array.from({ length: 1010 }, (_, index) => `source ${index}`)
  await Promise.all(sources.map((userUuid, index) => refuse(userUuid, index, 'DeleteGatewayVm')))
  await audit.chainNow()
  const rest = await onlyEntry('operation=DeleteGatewayVm', 'userUuid is null')
  assert.ok(Number(rest.count) >= 10)
  assert.deepEqual([rest.actorName, rest.resourceUuid, rest.path], [null, null, null])
})
