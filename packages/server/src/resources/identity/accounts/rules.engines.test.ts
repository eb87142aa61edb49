import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { sha256 } from '@wharf/platform/constant-time.ts'
import { type Answer, assertFailure, Client, TestServer } from '@wharf/testkit'

const server = await TestServer.start({ after })
const { database } = server.app.foundation
const { admin } = server
const adminUuid = server.bootstrap.accountUuid
const password = 'a long password'
let number = 0
const fresh = (): string => `name ${number++}`

interface Made {
  uuid: string
  name: string
  [field: string]: unknown
}
const made = (answer: Answer): Made => {
  assert.equal(answer.status, 200, answer.text)
  return answer.body.inventory as Made
}
const account = async (more: object = {}) =>
  made(await admin.post('/v1/accounts', { params: { name: fresh(), password, ...more } }))
const user = async (accountUuid: string, more: object = {}) =>
  made(await admin.post('/v1/users', { params: { accountUuid, name: fresh(), password, ...more } }))
const userOf = async (uuid: string): Promise<Made> =>
  ((await admin.get(`/v1/users/${uuid}`)).body.inventories as Made[])[0] as Made

/** The events of the changes, as `type resourceType uuid`. */
async function eventsOf(work: () => Promise<unknown>): Promise<string[]> {
  const newest = await database.read
    .selectFrom('events')
    .select(({ fn }) => fn.max('sequence').as('last'))
    .executeTakeFirst()
  await work()
  const rows = await database.read
    .selectFrom('events')
    .selectAll()
    .where('sequence', '>', newest?.last ?? 0)
    .orderBy('sequence')
    .execute()
  return rows
    .filter((row) => row.resourceType !== 'ManagementNode')
    .map((row) => `${row.type} ${row.resourceType} ${row.uuid}`)
}

const taken = await account({ name: 'taken' })
const inside = await user(taken.uuid, { name: 'inside' })
const builtIn = await account()
const operator = await server.signIn('operator')

test('an account has one built-in user with its uuid', async () => {
  const { uuid, name, ...rest } = await account({ description: 'ours' })
  assert.deepEqual(Object.keys(rest).sort(), ['createDate', 'description', 'lastOpDate'])
  assert.equal(rest.description, 'ours')
  const builtIn = await userOf(uuid)
  assert.deepEqual([builtIn.accountUuid, builtIn.name, builtIn.role], [uuid, name, 'operator'])
  assert.equal('passwordHash' in builtIn || 'password' in builtIn, false)
})

test('roles: an account is operator and a user reader by default', async () => {
  const { uuid } = await account({ role: 'reader' })
  assert.equal((await userOf(uuid)).role, 'reader')
  assert.equal((await user(uuid)).role, 'reader')
  assert.equal((await user(uuid, { role: 'admin' })).role, 'admin')
})

test("a user is created in the caller's account by default", async () => {
  const params = { name: fresh(), password }
  assert.equal(made(await admin.post('/v1/users', { params })).accountUuid, adminUuid)
})

test('two accounts may have users of the same name', async () => {
  const [one, two] = [await account(), await account()]
  const users = [await user(one.uuid, { name: 'same' }), await user(two.uuid, { name: 'same' })]
  assert.deepEqual(
    users.map(({ accountUuid }) => accountUuid),
    [one.uuid, two.uuid],
  )
})

test('everyone reads accounts and users, without a trace of a password', async () => {
  const reader = await server.signIn('reader')
  for (const path of ['/v1/accounts', '/v1/users', `/v1/users/${adminUuid}`, `/v1/accounts/${adminUuid}`]) {
    const answer = await reader.get(path)
    assert.equal(answer.status, 200)
    assert.doesNotMatch(answer.text, /scrypt|password/i)
  }
  for (const query of ['q=passwordHash~=scrypt%25', 'sort=passwordHash', 'fields=passwordHash', 'q=password=p'])
    assertFailure(await reader.get(`/v1/users?${query}`), { status: 400, code: 'SYS.1007' })
})

const missingUuid = 'f'.repeat(32)
const params = (fields: object) => ({ params: { name: fresh(), password, ...fields } })

const refused: { name: string; send: () => Promise<Answer>; status: number; code: string }[] = [
  {
    name: 'an account with a taken name',
    send: () => admin.post('/v1/accounts', params({ name: 'taken' })),
    status: 409,
    code: 'SYS.1002',
  },
  {
    name: 'an account with a taken uuid',
    send: () => admin.post('/v1/accounts', params({ resourceUuid: taken.uuid })),
    status: 409,
    code: 'SYS.1002',
  },
  {
    name: "an account with a user's uuid",
    send: () => admin.post('/v1/accounts', params({ resourceUuid: inside.uuid })),
    status: 409,
    code: 'SYS.1002',
  },
  {
    name: 'an account with an unknown role',
    send: () => admin.post('/v1/accounts', params({ role: 'root' })),
    status: 400,
    code: 'SYS.1007',
  },
  {
    name: 'an account without a password',
    send: () => admin.post('/v1/accounts', { params: { name: fresh() } }),
    status: 400,
    code: 'SYS.1007',
  },
  {
    name: 'an account by an operator',
    send: () => operator.post('/v1/accounts', params({})),
    status: 403,
    code: 'ID.1002',
  },
  {
    name: 'a user with a taken name',
    send: () => admin.post('/v1/users', params({ accountUuid: taken.uuid, name: 'inside' })),
    status: 409,
    code: 'SYS.1002',
  },
  {
    name: 'a user with a taken uuid',
    send: () => admin.post('/v1/users', params({ resourceUuid: taken.uuid })),
    status: 409,
    code: 'SYS.1002',
  },
  {
    name: 'a user in no account',
    send: () => admin.post('/v1/users', params({ accountUuid: missingUuid })),
    status: 404,
    code: 'SYS.1003',
  },
  {
    name: 'a user by an operator in its own account',
    send: () => operator.post('/v1/users', params({ accountUuid: operator.accountUuid })),
    status: 403,
    code: 'ID.1002',
  },
  {
    name: 'to delete no account',
    send: () => admin.delete(`/v1/accounts/${missingUuid}`),
    status: 404,
    code: 'SYS.1003',
  },
  { name: 'to delete no user', send: () => admin.delete(`/v1/users/${missingUuid}`), status: 404, code: 'SYS.1003' },
  {
    name: 'to delete a built-in user alone',
    send: () => admin.delete(`/v1/users/${builtIn.uuid}`),
    status: 409,
    code: 'SYS.1004',
  },
  {
    name: 'to delete the own account as an operator',
    send: () => operator.delete(`/v1/accounts/${operator.accountUuid}`),
    status: 403,
    code: 'ID.1002',
  },
  {
    name: 'to delete a user as an account',
    send: () => admin.delete(`/v1/accounts/${inside.uuid}`),
    status: 404,
    code: 'SYS.1003',
  },
  {
    name: 'to change nothing of a user',
    send: () => admin.put(`/v1/users/${inside.uuid}/actions`, { updateUser: {} }),
    status: 400,
    code: 'SYS.1007',
  },
  {
    name: 'to change no user',
    send: () => admin.put(`/v1/users/${missingUuid}/actions`, { updateUser: { role: 'reader' } }),
    status: 404,
    code: 'SYS.1003',
  },
  {
    name: 'to change its own role as an operator',
    send: () => operator.put(`/v1/users/${operator.accountUuid}/actions`, { updateUser: { role: 'admin' } }),
    status: 403,
    code: 'ID.1002',
  },
]

for (const { name, send, status, code } of refused) {
  test(`refuses ${name}, and nothing happens`, async () => {
    const state = () =>
      Promise.all([
        database.read.selectFrom('accounts').selectAll().orderBy('uuid').execute(),
        database.read.selectFrom('users').selectAll().orderBy('uuid').execute(),
      ])
    const before = await state()
    assert.deepEqual(await eventsOf(async () => assertFailure(await send(), { status, code })), [])
    assert.deepEqual(await state(), before)
  })
}

test('every change publishes events, also of the records deleted with it', async () => {
  const uuids = Array.from({ length: 3 }, (_, n) => `${n}`.repeat(32))
  const [ours, theirs, key] = uuids as [string, string, string]
  const userAt = `/v1/users/${theirs}`
  const steps: [work: () => Promise<unknown>, events: string[]][] = [
    [() => account({ resourceUuid: ours }), [`Created User ${ours}`, `Created Account ${ours}`]],
    [() => user(ours, { resourceUuid: theirs }), [`Created User ${theirs}`]],
    [
      () => admin.post('/v1/accesskeys', { params: { accountUuid: ours, userUuid: theirs, resourceUuid: key } }),
      [`Created AccessKey ${key}`],
    ],
    [() => admin.put(`${userAt}/actions`, { updateUser: { role: 'operator' } }), [`Updated User ${theirs}`]],
    [
      () => admin.put(`/v1/accounts/${ours}/actions`, { updateAccount: { password: 'the new password' } }),
      [`Updated User ${ours}`, `Updated Account ${ours}`],
    ],
    [
      () => admin.put(`/v1/accesskeys/${key}/actions`, { changeAccessKeyState: { stateEvent: 'disable' } }),
      [`Updated AccessKey ${key}`],
    ],
    [
      () => admin.delete(`/v1/accounts/${ours}`),
      [`Deleted User ${ours}`, `Deleted AccessKey ${key}`, `Deleted User ${theirs}`, `Deleted Account ${ours}`],
    ],
  ]
  for (const [work, events] of steps) assert.deepEqual(await eventsOf(work), events)
})

test('events of keys are sent to their user and to admins only', async () => {
  const { audience } = await database.read
    .selectFrom('events')
    .select('audience')
    .where('resourceType', '=', 'AccessKey')
    .where('uuid', '=', '2'.repeat(32))
    .executeTakeFirstOrThrow()
  assert.equal(audience, '1'.repeat(32))
})

test('a caller gets its own account, user and role, whatever the credential', async () => {
  const { uuid: accountUuid, name: accountName } = await account()
  const { uuid: userUuid, name: userName } = await user(accountUuid)
  const key = made(await admin.post('/v1/accesskeys', { params: { accountUuid, userUuid } }))
  const { AccessKeyID: id, AccessKeySecret: secret } = key as unknown as Record<string, string>
  const logInByUser = { accountName, userName, password }
  const session = made(await server.anonymous.put('/v1/accounts/users/login', { logInByUser }))
  const expected = {
    accountUuid,
    accountName,
    userUuid,
    userName,
    role: 'reader',
    scope: [],
    hasBootstrapPassword: false,
  }
  for (const [credential, credentialType, credentialUuid] of [
    [{ kind: 'key', id: id ?? '', secret: secret ?? '' }, 'AccessKey', key.uuid],
    [{ kind: 'session', uuid: session.uuid }, 'Session', sha256(session.uuid).slice(0, 32)],
  ] as const) {
    const caller = new Client(server.url, credential)
    assert.deepEqual(made(await caller.get('/v1/caller-identity')), { ...expected, credentialType, credentialUuid })
  }
  await admin.put(`/v1/users/${userUuid}/actions`, { updateUser: { role: 'operator' } })
  const again = new Client(server.url, { kind: 'session', uuid: session.uuid })
  assert.equal(made(await again.get('/v1/caller-identity')).role, 'operator')
  assertFailure(await server.anonymous.get('/v1/caller-identity'), { status: 401, code: 'ID.1001' })
})
