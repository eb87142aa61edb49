import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { newUuid } from '@wharf/platform/ids.ts'
import { generateKeyPair } from '@wharf/ssh/private-key.ts'
import { type Answer, assertFailure, Client, EventReader, insertScopedRecords, TestServer } from '@wharf/testkit'

const server = await TestServer.start({ after })
const { admin } = server
const { database } = server.app.foundation
const inside = await insertScopedRecords(database, { name: 'web-1', labels: { team: 'web' } })
const outside = await insertScopedRecords(database, { name: 'db-1', labels: { team: 'db' } })
const web = ['labels.team=web']

const made = ({ status, body, text }: Answer): Record<string, unknown> & { uuid: string } => {
  assert.equal(status, 200, text)
  return body.inventory as Record<string, unknown> & { uuid: string }
}
const listed = async (client: Client, path: string): Promise<unknown[]> =>
  ((await client.get(path)).body.inventories as { name?: string }[]).map(({ name }) => name)

let users = 0
/** A new account with this scope, signed in. */
async function signIn(role: string, scope: readonly string[]): Promise<Client & { uuid: string; userName: string }> {
  const name = `user-${users++}`
  const { uuid } = made(await admin.post('/v1/accounts', { params: { name, password: 'password no. 1', role, scope } }))
  return Object.assign(await server.logIn(name, 'password no. 1'), { uuid, userName: name })
}

async function keyOf(by: Client, userUuid: string, scope?: readonly string[]) {
  const params = { accountUuid: userUuid, userUuid, ...(scope && { scope }) }
  const key = made(await by.post('/v1/accesskeys', { params }))
  const client = new Client(server.url, {
    kind: 'key',
    id: String(key.AccessKeyID),
    secret: String(key.AccessKeySecret),
  })
  return Object.assign(client, { scope: key.scope })
}

const scopeOf = async (client: Client) => made(await client.get('/v1/caller-identity')).scope

test('a user has a scope from its creation, and an admin changes it', async () => {
  const user = await signIn('reader', [' labels.team = web', 'labels.team=web'])
  assert.deepEqual(await scopeOf(user), web)
  assert.deepEqual(await listed(user, '/v1/hosts'), ['web-1'])
  const update = (scope: readonly string[]) => admin.put(`/v1/users/${user.uuid}/actions`, { updateUser: { scope } })
  assert.deepEqual(made(await update(['labels.team=db'])).scope, ['labels.team=db'])
  assert.deepEqual(await listed(user, '/v1/hosts'), ['db-1'])
  made(await update([]))
  assert.deepEqual(await listed(user, '/v1/hosts?sort=name'), ['db-1', 'this-node', 'web-1'])
  assertFailure(await update(['name=web-1']), {
    status: 400,
    code: 'SYS.1007',
    details: 'updateUser.scope: "name=web-1"',
  })
  const nothing = await admin.put(`/v1/users/${user.uuid}/actions`, { updateUser: {} })
  assertFailure(nothing, { status: 400, code: 'SYS.1007', details: 'a password, a role or a scope' })
})

test('a key has the scope of its user and its own, and gives its own to the keys that it creates', async () => {
  const user = await signIn('operator', [])
  const key = await keyOf(user, user.uuid, web)
  assert.deepEqual(await scopeOf(key), web)
  assert.deepEqual(await listed(key, '/v1/software-package'), ['web-1'])
  assert.deepEqual((await keyOf(key, user.uuid)).scope, web)
  assert.deepEqual((await keyOf(key, user.uuid, ['labels.zone=a'])).scope, [...web, 'labels.zone=a'])
  made(await admin.put(`/v1/users/${user.uuid}/actions`, { updateUser: { scope: ['labels.team=db'] } }))
  assert.deepEqual(await scopeOf(key), ['labels.team=db', ...web])
  assert.deepEqual(await listed(key, '/v1/hosts'), [])
})

test('an admin with a scope manages users with at least the same scope, and gives its own to those that it creates', async () => {
  const limited = await signIn('admin', web)
  const other = await signIn('reader', ['labels.team=db'])
  const params = { name: 'created by limited', password: 'password no. 1', scope: ['labels.zone=a'] }
  const created = made(await limited.post('/v1/users', { params }))
  assert.deepEqual(created.scope, [...web, 'labels.zone=a'])
  const update = (uuid: string, change: object) => limited.put(`/v1/users/${uuid}/actions`, { updateUser: change })
  assert.deepEqual(made(await update(created.uuid, { scope: [] })).scope, web)
  const account = made(
    await limited.post('/v1/accounts', { params: { name: 'of limited', password: 'password no. 1' } }),
  )
  assert.equal((await limited.delete(`/v1/accounts/${account.uuid}`)).status, 200)
  const refusal = { status: 403, code: 'ID.1002', details: 'does not contain that of the caller (labels.team=web)' }
  for (const uuid of [other.uuid, server.bootstrap.userUuid]) {
    assertFailure(await update(uuid, { password: 'password no. 2' }), refusal)
    assertFailure(await update(uuid, { role: 'reader' }), refusal)
    assertFailure(
      await limited.put(`/v1/accounts/${uuid}/actions`, { updateAccount: { password: 'password no. 2' } }),
      refusal,
    )
    assertFailure(await limited.post('/v1/accesskeys', { params: { accountUuid: uuid, userUuid: uuid } }), refusal)
    assertFailure(await limited.delete(`/v1/accounts/${uuid}`), refusal)
  }
  // a key with a scope cannot set the password of its own user, who has none
  const key = await keyOf(admin, server.bootstrap.userUuid, web)
  const own = await key.put(`/v1/users/${server.bootstrap.userUuid}/actions`, {
    updateUser: { password: 'password no. 2' },
  })
  assertFailure(own, refusal)
})

test('the last admin without a scope cannot be limited', async () => {
  const first = `/v1/users/${server.bootstrap.userUuid}/actions`
  await signIn('admin', web)
  const refusal = { status: 409, code: 'SYS.1006', details: 'the last admin without a scope' }
  assertFailure(await admin.put(first, { updateUser: { scope: web } }), refusal)
  assertFailure(await admin.put(first, { updateUser: { role: 'reader' } }), refusal)
})

test('nothing that a caller with a scope does leaves the scope', async () => {
  const limited = await signIn('admin', web)
  const path = `/v1/hosts/${inside.hosts}/actions`
  const leaves = {
    status: 403,
    code: 'ID.1002',
    details: 'the host would leave the scope of the caller (labels.team=web)',
  }
  assertFailure(await limited.put(path, { updateHost: { labels: { team: 'db' } } }), leaves)
  assertFailure(await limited.put(path, { updateHost: { removeLabels: ['team'], address: 'other' } }), leaves)
  assert.equal((await limited.put(path, { updateHost: { labels: { zone: 'a' } } })).status, 200)
  const beyond = { status: 403, code: 'ID.1002', details: 'the record would be outside the scope of the caller' }
  const privateKey = (await generateKeyPair()).privateKey.reveal()
  const host = { name: 'new', driver: 'ssh', address: 'new.example', username: 'root', privateKey }
  assertFailure(await limited.post('/v1/hosts', { params: { ...host, labels: { team: 'db' } } }), beyond)
  const platform = { name: 'new', type: 'Alertmanager' }
  assertFailure(await limited.post('/v1/zwatch/third-party/platforms', { params: platform }), beyond)
  const address = { status: 403, code: 'ID.1002', details: 'the address of a host within the scope of the caller' }
  for (const managementIp of ['db-1.example', 'unknown.example', undefined])
    assertFailure(await limited.post('/v1/cluster-plugin', { params: { name: 'new', managementIp } }), address)
  const cluster = { name: 'new', managementIp: 'WEB-1.example', apiPort: 1 }
  const { uuid } = made(await limited.post('/v1/cluster-plugin', { params: cluster }))
  assert.equal((await limited.get(`/v1/cluster-plugin/${uuid}`)).status, 200)
  for (const table of ['hosts', 'thirdPartyPlatforms'] as const)
    assert.deepEqual(await database.read.selectFrom(table).select('uuid').where('name', '=', 'new').execute(), [])
})

test('a caller with a scope adds a host with a key of its own, also at an address of a host outside', async () => {
  const limited = await signIn('admin', web)
  const privateKey = (await generateKeyPair()).privateKey.reveal()
  const host = { name: 'own', driver: 'ssh', address: 'db-1.example', username: 'root', labels: { team: 'web' } }
  const accepted = await limited.post('/v1/hosts', { params: { ...host, privateKey } }, { prefer: 'respond-async' })
  assert.equal(accepted.status, 202, accepted.text)
  const change = { updateHost: { username: 'other', privateKey } }
  const path = `/v1/hosts/${inside.hosts}/actions`
  assert.equal((await limited.put(path, change, { prefer: 'respond-async' })).status, 202)
})

test('an admin with a scope reads the entries of sign-ins', async () => {
  const limited = await signIn('admin', web)
  const { body } = await limited.get('/v1/audit-entries?q=resourceType=Session&limit=1')
  assert.equal((body.inventories as object[]).length, 1)
})

test('a taken uuid is refused without naming its owner', async () => {
  const limited = await signIn('admin', web)
  const params = { name: 'tag', resourceUuid: outside.hosts }
  const refused = await limited.post('/v1/tags', { params })
  assertFailure(refused, { status: 409, code: 'SYS.1002', details: 'is in use by a record that is not shown' })
})

test('the labels of a host move it and what is on it, for queries, streams and repeated calls', async (t) => {
  const moving = await insertScopedRecords(database, { name: 'moving', labels: { team: 'db' } })
  const limited = await signIn('operator', web)
  const setTeam = (team: string) => admin.put(`/v1/hosts/${moving.hosts}/actions`, { updateHost: { labels: { team } } })
  const tag = { resourceUuid: moving.hosts, resourceType: 'Host', tag: 'x' }
  const key = { 'idempotency-key': newUuid() }
  const attach = () => limited.post('/v1/user-tags', { params: tag }, key)
  assertFailure(await attach(), {
    status: 404,
    code: 'SYS.1003',
    details: `there is no Host with uuid ${moving.hosts}`,
  })
  const reader = new EventReader(limited, '/v1/events')
  t.after(() => reader.stop())
  await reader.status
  await setTeam('web')
  assert.ok((await listed(limited, '/v1/hosts')).includes('moving'))
  assert.equal((await limited.get(`/v1/api-jobs/${moving.jobs}`)).status, 202)
  made(await attach())
  made(await attach())
  const log = new EventReader(limited, `/v1/api-jobs/${moving.jobs}/log?follow=true`)
  t.after(() => log.stop())
  assert.equal(await log.status, 200)
  await setTeam('db')
  // a followed log ends although its job does not
  for await (const { event } of log) assert.notEqual(event, 'end')
  assertFailure(await attach(), { status: 404, code: 'SYS.1003' })
  assertFailure(await limited.get(`/v1/api-jobs/${moving.jobs}/log`), { status: 404, code: 'SYS.1003' })
  made(await admin.put(`/v1/hosts/${inside.hosts}/actions`, { updateHost: { description: 'later' } }))
  const seen: string[] = []
  for await (const { data } of reader) {
    const { resourceType, uuid } = JSON.parse(data) as { resourceType: string; uuid: string }
    // the runner may claim the job on the host at any time
    if (resourceType !== 'ApiJob') seen.push(resourceType === 'Host' ? uuid : resourceType)
    if (uuid === inside.hosts) break
  }
  assert.deepEqual(seen, [moving.hosts, 'Tag', inside.hosts])
})

test('a stream ends when the scope of its user changes', async () => {
  const user = await signIn('reader', web)
  const reader = new EventReader(user, '/v1/events')
  await reader.status
  made(await admin.put(`/v1/users/${user.uuid}/actions`, { updateUser: { scope: [] } }))
  const ended = Array.fromAsync(reader).then(() => 'ended')
  assert.equal(await Promise.race([ended, delay(10_000, 'still open', { ref: false })]), 'ended')
})

test('the conditions of a scope are part of the statement that selects hosts, so that an index serves them', async () => {
  const { hostRecords } = await import('../hosts/host-selection.ts')
  const { scopeOf: scopeFrom } = await import('@wharf/database/scope-conditions.ts')
  const { page, count } = hostRecords.statements(database.engine, {
    limit: 50,
    replyWithCount: true,
    scope: scopeFrom('', web),
  })
  const byLabel = hostRecords.statements(database.engine, { limit: 50, replyWithCount: true, q: web })
  assert.deepEqual([page, count], [byLabel.page, byLabel.count])
})
