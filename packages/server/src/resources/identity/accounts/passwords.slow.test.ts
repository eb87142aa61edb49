import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { type Answer, assertFailure, Client, TestServer } from '@wharf/testkit'
import { pauseNextHash } from '../testing/pause-next-hash.ts'

const setPassword = (as: Client, accountUuid: string, updateAccount: object): Promise<Answer> =>
  as.put(`/v1/accounts/${accountUuid}/actions`, { updateAccount })

async function start(t: TestContext) {
  const server = await TestServer.start(t)
  const own = await server.signIn('operator', 'somebody')
  const old = 'password of somebody'
  const logsInWith = async (password: string): Promise<boolean> =>
    (await server.anonymous.put('/v1/accounts/login', { logInByAccount: { accountName: 'somebody', password } }))
      .status === 200
  const isSignedIn = async (client: Client): Promise<boolean> => (await client.get('/v1/tags')).status === 200
  return { server, own, old, logsInWith, isSignedIn }
}

test('a new password has at least 12 characters and is not among the most used ones', async (t) => {
  const { server, own, old, logsInWith } = await start(t)
  const set = (field: string, password: string): Promise<Answer> => {
    const params = { name: 'weak', password }
    if (field === 'updateAccount.password') return setPassword(own, own.accountUuid, { password, oldPassword: old })
    if (field === 'changeOwnPassword.password') return changeOwn(own, { password, oldPassword: old })
    if (field === 'updateUser.password')
      return server.admin.put(`/v1/users/${own.accountUuid}/actions`, { updateUser: { password } })
    return server.admin.post(field === 'account' ? '/v1/accounts' : '/v1/users', { params })
  }
  const weak = {
    'eleven char': 'has 11 characters; choose a password of at least 12',
    x: 'has 1 character; choose a password of at least 12',
    '🚢🚢🚢🚢🚢🚢': 'has 6 characters; choose a password of at least 12',
    Qwerty123456: 'is among the 10,000 most used passwords of at least 12 characters; choose another one',
    password1234: 'is among the 10,000 most used passwords of at least 12 characters; choose another one',
  }
  for (const field of [
    'account',
    'user',
    'updateUser.password',
    'updateAccount.password',
    'changeOwnPassword.password',
  ])
    for (const [password, problem] of Object.entries(weak)) {
      const name = field.includes('.') ? field : 'params.password'
      assertFailure(await set(field, password), { status: 400, code: 'SYS.1007', details: `${name} ${problem}` })
    }
  assert.ok(await logsInWith(old))
  assert.equal((await set('account', 'just 12 char')).status, 200)
})

test('the owner of an account sets a new password by giving the old one', async (t) => {
  const { own, old, logsInWith } = await start(t)
  const answer = await setPassword(own, own.accountUuid, { password: 'the new password', oldPassword: old })
  assert.equal(answer.status, 200, answer.text)
  assert.equal((answer.body.inventory as { uuid: string }).uuid, own.accountUuid)
  assert.deepEqual([await logsInWith(old), await logsInWith('the new password')], [false, true])
})

test('a password that is set as its lower-case hex SHA-512 is valid in clear and as the hash', async (t) => {
  const { server, own, old, logsInWith } = await start(t)
  const sha512 = (text: string): string => hash('sha512', text, 'hex')
  await setPassword(own, own.accountUuid, { password: sha512('the new password'), oldPassword: sha512(old) })
  assert.deepEqual(
    [await logsInWith('the new password'), await logsInWith(sha512('the new password')), await logsInWith(old)],
    [true, true, false],
  )
  const params = { name: 'hashed', password: sha512('made') }
  const user = (await server.admin.post('/v1/users', { params })).body.inventory as { uuid: string }
  const userLogsInWith = async (password: string): Promise<number> => {
    const logInByUser = { accountName: 'admin', userName: 'hashed', password }
    return (await server.anonymous.put('/v1/accounts/users/login', { logInByUser })).status
  }
  assert.deepEqual([await userLogsInWith('made'), await userLogsInWith(sha512('made'))], [200, 200])
  await server.admin.put(`/v1/users/${user.uuid}/actions`, { updateUser: { password: sha512('the changed password') } })
  assert.deepEqual([await userLogsInWith('the changed password'), await userLogsInWith('made')], [200, 401])
  await server.admin.post('/v1/accounts', { params: { name: 'another', password: sha512('theirs') } })
  assert.ok(await server.logIn('another', 'theirs'))
})

test('a password has up to 1,024 characters', async (t) => {
  const { own, old, logsInWith } = await start(t)
  const longest = '码'.repeat(1024)
  const tooLong = await setPassword(own, own.accountUuid, { password: `${longest}x`, oldPassword: old })
  assertFailure(tooLong, { status: 400, code: 'SYS.1007' })
  assert.equal((await setPassword(own, own.accountUuid, { password: longest, oldPassword: old })).status, 200)
  assert.deepEqual([await logsInWith(longest), await logsInWith(longest.slice(1))], [true, false])
})

test('a changed password ends the other sessions and leaves the one that changed it, and the keys', async (t) => {
  const { server, own, old, isSignedIn } = await start(t)
  const elsewhere = await server.logIn('somebody', old)
  const params = { accountUuid: own.accountUuid, userUuid: own.accountUuid }
  const key = (await own.post('/v1/accesskeys', { params })).body.inventory as Record<string, string>
  await setPassword(own, own.accountUuid, { password: 'the new password', oldPassword: old })
  assert.deepEqual([await isSignedIn(own), await isSignedIn(elsewhere)], [true, false])
  const stored = await server.app.foundation.database.read
    .selectFrom('accessKeys')
    .select('state')
    .where('uuid', '=', key.uuid ?? '')
    .execute()
  assert.deepEqual(stored, [{ state: 'Enabled' }])
})

test('a password that an admin sets ends every session of its user, and no other', async (t) => {
  const { server, own, isSignedIn } = await start(t)
  const bystander = await server.signIn('reader')
  assert.equal((await setPassword(server.admin, own.accountUuid, { password: 'the new password' })).status, 200)
  assert.deepEqual([await isSignedIn(own), await isSignedIn(bystander)], [false, true])
})

test("an admin sets a user's password too, and that ends its sessions", async (t) => {
  const { server, own, isSignedIn, logsInWith } = await start(t)
  const answer = await server.admin.put(`/v1/users/${own.accountUuid}/actions`, {
    updateUser: { password: 'the new password' },
  })
  assert.equal(answer.status, 200)
  assert.deepEqual([await isSignedIn(own), await logsInWith('the new password')], [false, true])
})

test('a changed role ends no session', async (t) => {
  const { server, own, isSignedIn } = await start(t)
  await server.admin.put(`/v1/users/${own.accountUuid}/actions`, { updateUser: { role: 'reader' } })
  assert.equal(await isSignedIn(own), true)
})

const right = 'password of somebody'
const refused: { name: string; fields: object; of?: 'admin' | 'nobody'; as?: 'admin'; status: number; code: string }[] =
  [
    { name: 'the own without the old one', fields: { password: 'the new password' }, status: 400, code: 'SYS.1007' },
    {
      name: 'the own with a wrong old one',
      fields: { password: 'the new password', oldPassword: 'no' },
      status: 403,
      code: 'ID.1002',
    },
    { name: 'to nothing', fields: { oldPassword: right }, status: 400, code: 'SYS.1007' },
    { name: 'to an empty one', fields: { password: '', oldPassword: right }, status: 400, code: 'SYS.1007' },
    {
      name: 'to one that is too long',
      fields: { password: 'x'.repeat(1025), oldPassword: right },
      status: 400,
      code: 'SYS.1007',
    },
    {
      name: "another account's",
      fields: { password: 'the new password', oldPassword: right },
      of: 'admin',
      status: 403,
      code: 'ID.1002',
    },
    { name: "another account's with an empty body", fields: {}, of: 'admin', status: 403, code: 'ID.1002' },
    { name: "another account's with an unknown field", fields: { x: 1 }, of: 'admin', status: 403, code: 'ID.1002' },
    { name: 'of nobody', fields: { password: 'the new password' }, of: 'nobody', status: 403, code: 'ID.1002' },
    {
      name: 'of nobody, as an admin',
      fields: { password: 'the new password' },
      of: 'nobody',
      as: 'admin',
      status: 404,
      code: 'SYS.1003',
    },
    {
      name: 'its own, as an admin who gives a wrong old one',
      fields: { password: 'the new password', oldPassword: 'no' },
      of: 'admin',
      as: 'admin',
      status: 403,
      code: 'ID.1002',
    },
  ]

test('refused changes of a password change nothing', async (t) => {
  const { server, own } = await start(t)
  const { database } = server.app.foundation
  const state = () =>
    Promise.all([
      database.read.selectFrom('users').selectAll().orderBy('uuid').execute(),
      database.read.selectFrom('sessions').select('hash').orderBy('hash').execute(),
      database.read.selectFrom('events').select('sequence').where('resourceType', '!=', 'ManagementNode').execute(),
    ])
  const uuids = { admin: server.bootstrap.accountUuid, nobody: 'f'.repeat(32), self: own.accountUuid }
  for (const { name, fields, of = 'self' as const, as, status, code } of refused) {
    await t.test(name, async () => {
      const before = await state()
      assertFailure(await setPassword(as === 'admin' ? server.admin : own, uuids[of], fields), { status, code })
      assert.deepEqual(await state(), before)
    })
  }
})

test("an admin's reset is not overwritten by a change with the old password that was in flight", async (t) => {
  const { server, own, old, logsInWith } = await start(t)
  const params = { accountUuid: own.accountUuid, userUuid: own.accountUuid }
  const key = (await own.post('/v1/accesskeys', { params })).body.inventory as Record<string, string>
  const { AccessKeyID: id = '', AccessKeySecret: secret = '' } = key
  // the reset ends sessions, and leaves keys
  const byKey = new Client(server.url, { kind: 'key', id, secret })
  const { reached, resume } = pauseNextHash(t)
  const changing = setPassword(byKey, own.accountUuid, { password: 'my own password', oldPassword: old })
  await reached
  assert.equal((await setPassword(server.admin, own.accountUuid, { password: 'the reset password' })).status, 200)
  resume()
  const details = 'updateAccount.oldPassword is not the current password'
  assertFailure(await changing, { status: 403, code: 'ID.1002', details })
  assert.deepEqual([await logsInWith('my own password'), await logsInWith('the reset password')], [false, true])
})

test('the password is removed from bootstrap.json when it was changed, and nothing else', async (t) => {
  const server = await TestServer.start(t)
  const file = join(server.environment.WHARF_DATA ?? '', 'bootstrap.json')
  const read = () => JSON.parse(readFileSync(file, 'utf8')) as Record<string, string>
  const { password, ...rest } = read()
  assert.equal(password, server.bootstrap.password)
  const { accountUuid } = server.bootstrap
  // the same again is not a change, nor is one by anybody else
  await setPassword(server.admin, accountUuid, { password })
  await server
    .signIn('reader')
    .then((reader) => setPassword(server.admin, reader.accountUuid, { password: 'another password' }))
  await delay(100)
  assert.equal(read().password, password)
  await setPassword(server.admin, accountUuid, { password: 'another password' })
  for (let tries = 0; tries < 100 && 'password' in read(); tries++) await delay(20)
  assert.deepEqual(read(), rest)
  assert.equal(statSync(file).mode & 0o777, 0o600)
})

test('the server knows while the password of the first start is in use', async (t) => {
  const server = await TestServer.start(t)
  const identity = async () => (await server.admin.get('/v1/caller-identity')).body.inventory as Record<string, unknown>
  assert.equal((await identity()).hasBootstrapPassword, true)
  const change = { oldPassword: server.bootstrap.password, password: 'a password of my own' }
  assert.equal((await changeOwn(server.admin, change)).status, 200)
  assert.equal((await identity()).hasBootstrapPassword, false)
})

test('the password of a deleted account is removed from bootstrap.json', async (t) => {
  const server = await TestServer.start(t)
  const file = join(server.environment.WHARF_DATA ?? '', 'bootstrap.json')
  const other = await server.signIn('admin')
  await other.delete(`/v1/accounts/${server.bootstrap.accountUuid}`)
  const hasPassword = () => readFileSync(file, 'utf8').includes(server.bootstrap.password)
  for (let tries = 0; tries < 100 && hasPassword(); tries++) await delay(20)
  assert.equal(hasPassword(), false)
})

test('passwords are stored as scrypt hashes, a new salt each time', async (t) => {
  const { server } = await start(t)
  const hashes = async () =>
    (await server.app.foundation.database.read.selectFrom('users').select('passwordHash').execute()).map(
      (row) => row.passwordHash,
    )
  const stored = await hashes()
  for (const one of stored) assert.match(one, /^scrypt\$\d+\$\d+\$\d+\$[\w-]{22}\$[\w-]{43}$/)
  await setPassword(server.admin, server.bootstrap.accountUuid, { password: server.bootstrap.password })
  assert.equal(new Set([...stored, ...(await hashes())]).size, stored.length + 1)
})

const changeOwn = (as: Client, changeOwnPassword: object): Promise<Answer> =>
  as.put('/v1/caller-identity/actions', { changeOwnPassword })

test('every user changes the own password with the current one; the other sessions of the user end', async (t) => {
  const { server, own, isSignedIn } = await start(t)
  const params = { accountUuid: own.accountUuid, name: 'inside', password: 'the first password', role: 'reader' }
  const { uuid } = (await server.admin.post('/v1/users', { params })).body.inventory as { uuid: string }
  const logIn = async (password: string): Promise<Answer> => {
    const logInByUser = { accountUuid: own.accountUuid, userName: 'inside', password }
    return server.anonymous.put('/v1/accounts/users/login', { logInByUser })
  }
  const clientOf = ({ body }: Answer): Client =>
    new Client(server.url, { kind: 'session', uuid: (body.inventory as { uuid: string }).uuid })
  const [here, elsewhere] = [clientOf(await logIn('the first password')), clientOf(await logIn('the first password'))]
  assertFailure(await changeOwn(here, { password: 'the second password' }), {
    status: 400,
    code: 'SYS.1007',
    details: /oldPassword/,
  })
  assertFailure(await changeOwn(here, { oldPassword: 'guess', password: 'the second password' }), {
    status: 403,
    code: 'ID.1002',
    details: 'changeOwnPassword.oldPassword is not the current password',
  })
  const changed = await changeOwn(here, { oldPassword: 'the first password', password: 'the second password' })
  assert.equal((changed.body.inventory as { uuid: string }).uuid, uuid, changed.text)
  assert.deepEqual([await isSignedIn(here), await isSignedIn(elsewhere)], [true, false])
  assert.deepEqual(
    [(await logIn('the first password')).status, (await logIn('the second password')).status],
    [401, 200],
  )
})

test('an admin proves the current password too', async (t) => {
  const { server } = await start(t)
  const guess = await changeOwn(server.admin, { oldPassword: 'guess', password: 'the new password' })
  assertFailure(guess, { status: 403, code: 'ID.1002' })
})

test('wrong current passwords count as failed sign-ins', async (t) => {
  const { server, own, old } = await start(t)
  for (let tries = 0; tries < 10; tries++) await changeOwn(own, { oldPassword: 'guess', password: 'the new password' })
  assertFailure(await changeOwn(own, { oldPassword: old, password: 'the new password' }), {
    status: 429,
    code: 'ID.1003',
  })
  const logInByAccount = { accountName: 'somebody', password: old }
  assertFailure(await server.anonymous.put('/v1/accounts/login', { logInByAccount }), { status: 429, code: 'ID.1003' })
})
