import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { type Answer, assertFailure, Client, TestServer } from '@wharf/testkit'

const server = await TestServer.start({ after })
const { database } = server.app.foundation
const reader = await server.signIn('reader')
const operator = await server.signIn('operator')
const adminUuid = server.bootstrap.accountUuid

type Key = { uuid: string; AccessKeyID: string; AccessKeySecret: string | null; state: string; [name: string]: unknown }
const keyOf = (answer: Answer): Key => {
  assert.equal(answer.status, 200, answer.text)
  return answer.body.inventory as Key
}
const own = (client: { accountUuid: string }) => ({ accountUuid: client.accountUuid, userUuid: client.accountUuid })
const signedBy = (key: Key) =>
  new Client(server.url, { kind: 'key', id: key.AccessKeyID, secret: key.AccessKeySecret ?? '' })
const keyRows = () => database.read.selectFrom('accessKeys').selectAll().orderBy('uuid').execute()

test('every role makes keys for itself, and they work', async () => {
  for (const client of [reader, operator]) {
    const key = keyOf(await client.post('/v1/accesskeys', { params: { ...own(client), description: 'a key' } }))
    assert.match(key.AccessKeyID, /^[A-Za-z0-9]{20}$/)
    assert.match(key.AccessKeySecret ?? '', /^[A-Za-z0-9]{40}$/)
    assert.equal(key.state, 'Enabled')
    assert.equal(key.description, 'a key')
    assert.equal((await signedBy(key).get('/v1/tags')).status, 200)
  }
})

test('a key has the role of its user', async () => {
  const key = keyOf(await reader.post('/v1/accesskeys', { params: own(reader) }))
  assertFailure(await signedBy(key).post('/v1/tags', { params: { name: 'x' } }), { status: 403, code: 'ID.1002' })
})

test('an admin makes keys for others, also for a user inside an account', async () => {
  const user = { accountUuid: reader.accountUuid, name: 'inside', password: 'a long password', role: 'operator' }
  const { uuid } = (await server.admin.post('/v1/users', { params: user })).body.inventory as { uuid: string }
  const params = { accountUuid: reader.accountUuid, userUuid: uuid }
  const key = keyOf(await server.admin.post('/v1/accesskeys', { params }))
  assert.equal((await signedBy(key).post('/v1/tags', { params: { name: 'by a key of inside' } })).status, 200)
})

test('the shortest and longest id and secret are taken as they are', async () => {
  for (const [id, secret] of [
    ['0123456789', 'abcdefghij'],
    ['abcdefghij0123456789', '!"#$%&\'()*+,-./0123456789;<=>?@[]^_`{|}~'.slice(0, 40)],
  ] as const) {
    const params = { ...own(operator), AccessKeyID: id, AccessKeySecret: secret }
    const key = keyOf(await operator.post('/v1/accesskeys', { params }))
    assert.deepEqual([key.AccessKeyID, key.AccessKeySecret], [id, secret])
    assert.equal((await signedBy(key).get('/v1/tags')).status, 200, id)
  }
})

test('the uuid may be chosen', async () => {
  const resourceUuid = 'a'.repeat(32)
  assert.equal(
    keyOf(await operator.post('/v1/accesskeys', { params: { ...own(operator), resourceUuid } })).uuid,
    resourceUuid,
  )
})

const taken = keyOf(
  await operator.post('/v1/accesskeys', { params: { ...own(operator), AccessKeyID: 'taken-already' } }),
)
const nobody = 'f'.repeat(32)

const refused: { name: string; as: Client; params: object; status: number; code: string }[] = [
  { name: 'for another user', as: operator, params: own(reader), status: 403, code: 'ID.1002' },
  {
    name: 'for the admin',
    as: reader,
    params: { accountUuid: adminUuid, userUuid: adminUuid },
    status: 403,
    code: 'ID.1002',
  },
  {
    name: 'for another user in the own account',
    as: reader,
    params: { accountUuid: reader.accountUuid, userUuid: nobody },
    status: 403,
    code: 'ID.1002',
  },
  {
    name: 'for a user of another account',
    as: server.admin,
    params: { accountUuid: adminUuid, userUuid: reader.accountUuid },
    status: 404,
    code: 'SYS.1003',
  },
  {
    name: 'for an unknown user',
    as: server.admin,
    params: { accountUuid: adminUuid, userUuid: nobody },
    status: 404,
    code: 'SYS.1003',
  },
  {
    name: 'with a taken id',
    as: reader,
    params: { ...own(reader), AccessKeyID: taken.AccessKeyID },
    status: 409,
    code: 'SYS.1002',
  },
  {
    name: 'with a taken uuid',
    as: reader,
    params: { ...own(reader), resourceUuid: taken.uuid },
    status: 409,
    code: 'SYS.1002',
  },
  ...[
    ['an id of 9 characters', { AccessKeyID: '012345678' }],
    ['an id of 21 characters', { AccessKeyID: '0'.repeat(21) }],
    ['a colon in the id', { AccessKeyID: '01234:6789' }],
    ['a space in the id', { AccessKeyID: '01234 6789' }],
    ['a secret of 9 characters', { AccessKeySecret: '012345678' }],
    ['a secret of 41 characters', { AccessKeySecret: '0'.repeat(41) }],
    ['a colon in the secret', { AccessKeySecret: '01234:6789' }],
    ['a space at the end of the secret', { AccessKeySecret: '0123456789 ' }],
    ['a malformed user', { userUuid: 'x' }],
    ['an unknown field', { secret: 'x' }],
  ].map(([name, more]) => ({
    name: `with ${name}`,
    as: operator,
    params: { ...own(operator), ...(more as object) },
    status: 400,
    code: 'SYS.1007',
  })),
  {
    name: 'without a user',
    as: operator,
    params: { accountUuid: operator.accountUuid },
    status: 400,
    code: 'SYS.1007',
  },
]

for (const { name, as, params, status, code } of refused) {
  test(`creates no key ${name}`, async () => {
    const before = await keyRows()
    assertFailure(await as.post('/v1/accesskeys', { params }), { status, code })
    assert.deepEqual(await keyRows(), before)
  })
}
