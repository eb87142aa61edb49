import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { assertFailure, TestServer } from '@wharf/testkit'

async function start(t: TestContext) {
  const server = await TestServer.start(t)
  const { database } = server.app.foundation
  const { admin, bootstrap } = server
  const secondAdmin = async (accountUuid: string): Promise<string> => {
    const params = { accountUuid, name: 'second', password: 'a long password', role: 'admin' }
    return ((await admin.post('/v1/users', { params })).body.inventory as { uuid: string }).uuid
  }
  const setRole = (uuid: string, role: string, as = admin) =>
    as.put(`/v1/users/${uuid}/actions`, { updateUser: { role } })
  const admins = async () =>
    (await database.read.selectFrom('users').select('uuid').where('role', '=', 'admin').execute()).length
  return { server, admin, first: bootstrap.accountUuid, secondAdmin, setRole, admins }
}

test('the last admin can be neither deleted nor degraded', async (t) => {
  const { admin, first, setRole, admins } = await start(t)
  assertFailure(await admin.delete(`/v1/accounts/${first}`), { status: 409, code: 'SYS.1004', details: 'last admin' })
  assertFailure(await admin.delete(`/v1/users/${first}`), { status: 409, code: 'SYS.1004' })
  for (const role of ['operator', 'reader'])
    assertFailure(await setRole(first, role), { status: 409, code: 'SYS.1006', details: 'last admin' })
  assert.equal((await setRole(first, 'admin')).status, 200)
  assert.equal(await admins(), 1)
})

test('an account with every admin cannot be deleted', async (t) => {
  const { admin, first, secondAdmin, admins } = await start(t)
  await secondAdmin(first)
  assertFailure(await admin.delete(`/v1/accounts/${first}`), { status: 409, code: 'SYS.1004' })
  assert.equal(await admins(), 2)
})

test('with another admin in another account the first one can be deleted, and its credentials with it', async (t) => {
  const { server, admin, first } = await start(t)
  const other = await server.signIn('admin')
  assert.equal((await other.delete(`/v1/accounts/${first}`)).status, 200)
  assert.equal((await admin.get('/v1/tags')).status, 401)
  assertFailure(await other.delete(`/v1/accounts/${other.accountUuid}`), { status: 409, code: 'SYS.1004' })
})

test('a user who is the last admin cannot be deleted', async (t) => {
  const { server, admin, first, secondAdmin, setRole } = await start(t)
  const second = await secondAdmin(first)
  assert.equal((await setRole(first, 'reader')).status, 200)
  const login = { logInByUser: { accountUuid: first, userName: 'second', password: 'a long password' } }
  const session = (await server.anonymous.put('/v1/accounts/users/login', login)).body.inventory as { uuid: string }
  const bySecond = { authorization: `OAuth ${session.uuid}` }
  assertFailure(await admin.delete(`/v1/users/${second}`), { status: 403, code: 'ID.1002' })
  const refused = await server.anonymous.delete(`/v1/users/${second}`, undefined, bySecond)
  assertFailure(refused, { status: 409, code: 'SYS.1004', details: 'last admin' })
})

test('two admins who degrade each other concurrently leave one', async (t) => {
  const { server, admin, first, setRole, admins } = await start(t)
  for (let round = 0; round < 5; round++) {
    const other = await server.signIn('admin')
    const answers = await Promise.all([setRole(other.accountUuid, 'reader', admin), setRole(first, 'reader', other)])
    assert.equal(await admins(), 1)
    const { status } = answers[1]
    if (status === 200) await setRole(first, 'admin', other).then(() => setRole(other.accountUuid, 'reader', other))
    assert.equal(await admins(), 1)
  }
})

test('two admins who delete each other concurrently leave one', async (t) => {
  const { server, first, admins } = await start(t)
  const [one, two] = [await server.signIn('admin'), await server.signIn('admin')]
  await one.delete(`/v1/accounts/${first}`)
  const answers = await Promise.all([
    one.delete(`/v1/accounts/${two.accountUuid}`),
    two.delete(`/v1/accounts/${one.accountUuid}`),
  ])
  assert.equal(await admins(), 1)
  assert.equal(answers.filter(({ status }) => status === 200).length, 1)
})
