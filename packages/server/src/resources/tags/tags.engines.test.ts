import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { type Answer, assertFailure, TestServer } from '@wharf/testkit'

const server = await TestServer.start({ after })
const { database } = server.app.foundation
const [operator, reader] = await Promise.all([server.signIn('operator'), server.signIn('reader')])

interface Tag {
  uuid: string
  name: string
  color: string | null
}

let number = 0
const create = (params: object = {}): Promise<Answer> =>
  operator.post('/v1/tags', { params: { name: `tag ${number++}`, ...params } })
const made = (answer: Answer): Tag => {
  assert.equal(answer.status, 200, answer.text)
  return answer.body.inventory as Tag
}
const listed = async (path: string): Promise<Record<string, unknown>[]> =>
  (await reader.get(path)).body.inventories as Record<string, unknown>[]

/** Everything that a call about tags may change. */
const state = () =>
  Promise.all([
    database.read.selectFrom('tags').selectAll().orderBy('uuid').execute(),
    database.read.selectFrom('userTags').selectAll().orderBy('uuid').execute(),
    database.read.selectFrom('clusterPlugins').selectAll().orderBy('uuid').execute(),
    database.read.selectFrom('events').selectAll().where('resourceType', '=', 'Tag').orderBy('sequence').execute(),
  ])

const eventsOf = async (uuid: string): Promise<string[]> => {
  const events = database.read.selectFrom('events').select('type').where('uuid', '=', uuid).orderBy('sequence')
  return (await events.execute()).map(({ type }) => type)
}

test('an operator creates a tag, which everyone reads', async () => {
  const tag = made(await create({ name: 'production', color: '#00aa00' }))
  assert.deepEqual([tag.name, tag.color], ['production', '#00aa00'])
  assert.deepEqual(await listed(`/v1/tags/${tag.uuid}`), [tag])
  assert.deepEqual(await listed('/v1/tags?q=name=production'), [tag])
  assert.deepEqual(await eventsOf(tag.uuid), ['Created'])
})

test('a tag needs no colour, may bring its uuid along, and may be tagged itself', async () => {
  const uuid = 'c'.repeat(32)
  const answer = await operator.post('/v1/tags', { params: { name: 'plain', resourceUuid: uuid }, userTags: ['ours'] })
  assert.partialDeepStrictEqual(made(answer), { uuid, color: null })
  const [attached] = await listed(`/v1/user-tags?q=resourceUuid=${uuid}`)
  assert.partialDeepStrictEqual(attached, { resourceType: 'Tag', tag: 'ours', tagUuid: null })
})

test('a tag that is deleted goes from what it was attached to, and its name is free again', async () => {
  const { uuid, name } = made(await create())
  const body = { params: { name: 'tagged', tagUuids: [uuid] }, userTags: ['stays'] }
  const plugin = made(await operator.post('/v1/cluster-plugin', body))
  const tagsOfPlugin = async () =>
    (await listed(`/v1/user-tags?q=resourceUuid=${plugin.uuid}&sort=+tag`)).map(({ tag, tagUuid }) => [tag, tagUuid])
  assert.deepEqual(await tagsOfPlugin(), [
    ['stays', null],
    [name, uuid],
  ])

  const deleted = await operator.delete(`/v1/tags/${uuid}`)
  assert.equal(deleted.status, 200, deleted.text)
  assert.deepEqual(await tagsOfPlugin(), [['stays', null]])
  assertFailure(await reader.get(`/v1/tags/${uuid}`), { status: 404, code: 'SYS.1003' })
  assert.deepEqual(await eventsOf(uuid), ['Created', 'Deleted'])
  made(await create({ name }))
})

const taken = made(await create({ name: 'taken' }))
const unknownUuid = 'f'.repeat(32)

const refused: { name: string; send: () => Promise<Answer>; status: number; code: string; details?: string }[] = [
  { name: 'a taken name', send: () => create({ name: 'taken' }), status: 409, code: 'SYS.1002' },
  { name: 'a taken uuid', send: () => create({ resourceUuid: taken.uuid }), status: 409, code: 'SYS.1002' },
  { name: 'an empty name', send: () => create({ name: '' }), status: 400, code: 'SYS.1007' },
  { name: 'a colour that is none', send: () => create({ color: 'Red!' }), status: 400, code: 'SYS.1007' },
  { name: 'to delete no tag', send: () => operator.delete(`/v1/tags/${unknownUuid}`), status: 404, code: 'SYS.1003' },
  {
    name: 'a tag by a reader',
    send: () => reader.post('/v1/tags', { params: { name: 'not theirs' } }),
    status: 403,
    code: 'ID.1002',
  },
  {
    name: 'to delete a tag as a reader',
    send: () => reader.delete(`/v1/tags/${taken.uuid}`),
    status: 403,
    code: 'ID.1002',
  },
  {
    name: 'a tag by nobody',
    send: () => server.anonymous.post('/v1/tags', { params: { name: 'nobody' } }),
    status: 401,
    code: 'ID.1001',
  },
  {
    name: 'to attach a tag that is not there',
    send: () =>
      operator.post('/v1/cluster-plugin', { params: { name: 'untagged', tagUuids: [taken.uuid, unknownUuid] } }),
    status: 404,
    code: 'SYS.1003',
    details: unknownUuid,
  },
]

for (const { name, send, ...expected } of refused) {
  test(`refuses ${name}, and nothing happens`, async () => {
    const before = await state()
    assertFailure(await send(), expected)
    assert.deepEqual(await state(), before)
  })
}

const { hostUuid } = server.bootstrap
const attach = (params: object, by: Pick<typeof operator, 'post'> = operator): Promise<Answer> =>
  by.post('/v1/user-tags', { params })
const host = { resourceUuid: hostUuid, resourceType: 'Host' }

test('a tag is attached to a record at any time, found by it, and removed again', async () => {
  const answer = await attach({ ...host, tag: ' blue ' })
  assert.equal(answer.status, 200, answer.text)
  const tag = answer.body.inventory as { uuid: string }
  assert.partialDeepStrictEqual(tag, { ...host, tag: 'blue', tagUuid: null })
  assert.deepEqual((await attach({ ...host, tag: 'blue' })).body.inventory, tag)
  assert.equal((await listed('/v1/hosts?q=__userTag__=blue')).length, 1)
  assert.deepEqual(await eventsOf(tag.uuid), ['Created'])
  assert.equal((await operator.delete(`/v1/user-tags/${tag.uuid}`)).status, 200)
  assert.deepEqual(await listed('/v1/hosts?q=__userTag__=blue'), [])
  assert.deepEqual(await eventsOf(tag.uuid), ['Created', 'Deleted'])
})

test('a text that is the name of a tag attaches that tag', async () => {
  const { uuid, name } = made(await create())
  assert.partialDeepStrictEqual(made(await attach({ ...host, tag: name })), { tag: name, tagUuid: uuid })
  assert.equal((await operator.delete(`/v1/tags/${uuid}`)).status, 200)
  assert.deepEqual(await listed(`/v1/user-tags?q=tag=${name}`), [])
})

test('records that only an admin changes are tagged by an admin', async () => {
  const storage = { resourceUuid: server.bootstrap.backupStorageUuid, resourceType: 'BackupStorage', tag: 'cold' }
  assertFailure(await attach(storage), { status: 403, code: 'ID.1002', details: 'BackupStorage' })
  const answer = await attach(storage, server.admin)
  assert.equal(answer.status, 200, answer.text)
  const { uuid } = answer.body.inventory as { uuid: string }
  assertFailure(await operator.delete(`/v1/user-tags/${uuid}`), { status: 403, code: 'ID.1002' })
  // an account and its built-in user share a uuid
  for (const resourceType of ['Account', 'User']) {
    const shared = { resourceUuid: server.bootstrap.accountUuid, resourceType, tag: 'both' }
    const { body } = await attach(shared, server.admin)
    assert.partialDeepStrictEqual(body.inventory, shared)
  }
})

test('of two calls that attach the same tag at the same time, one creates it', async () => {
  const answers = await Promise.all(Array.from({ length: 4 }, () => attach({ ...host, tag: 'once' })))
  assert.equal(new Set(answers.map(({ body }) => (body.inventory as Tag).uuid)).size, 1)
})

test('the tags of users, access keys and accounts are deleted with them', async () => {
  const { admin } = server
  const account = made(await admin.post('/v1/accounts', { params: { name: 'tagged', password: 'correct horse 1' } }))
  const user = made(
    await admin.post('/v1/users', {
      params: { accountUuid: account.uuid, name: 'member', password: 'correct horse 2' },
    }),
  )
  const keyOf = async (userUuid: string) =>
    made(await admin.post('/v1/accesskeys', { params: { accountUuid: account.uuid, userUuid } }))
  const [key, deletedWithUser] = [await keyOf(account.uuid), await keyOf(user.uuid)]
  const records: [string, Tag][] = [
    ['Account', account],
    ['User', account],
    ['User', user],
    ['AccessKey', key],
    ['AccessKey', deletedWithUser],
  ]
  for (const [resourceType, { uuid }] of records)
    assert.equal((await attach({ resourceUuid: uuid, resourceType, tag: 'x' }, admin)).status, 200, resourceType)
  const left = async () =>
    (await listed('/v1/user-tags?q=tag=x')).filter(({ resourceUuid }) =>
      records.some(([, { uuid }]) => uuid === resourceUuid),
    ).length
  assert.equal(await left(), 5)
  for (const [path, count] of [
    [`/v1/accesskeys/${key.uuid}`, 4],
    [`/v1/users/${user.uuid}`, 2],
    [`/v1/accounts/${account.uuid}`, 0],
  ] as const) {
    const deleted = await admin.delete(path)
    assert.equal(deleted.status, 200, deleted.text)
    assert.equal(await left(), count, path)
  }
})

for (const [name, params, expected] of [
  [
    'no record',
    { ...host, resourceUuid: unknownUuid, tag: 'x' },
    { status: 404, code: 'SYS.1003', details: unknownUuid },
  ],
  [
    'another type',
    { ...host, resourceType: 'BackupStorage', tag: 'x' },
    { status: 400, code: 'SYS.1007', details: 'is of the type Host' },
  ],
  [
    'no type',
    { ...host, resourceType: 'HostVO', tag: 'x' },
    { status: 400, code: 'SYS.1007', details: 'the types are AccessKey, Account' },
  ],
  ['an empty tag', { ...host, tag: ' ' }, { status: 400, code: 'SYS.1007', details: 'params.tag must not be empty' }],
  ['a long tag', { ...host, tag: 'x'.repeat(2049) }, { status: 400, code: 'SYS.1007', details: '2048' }],
] as const)
  test(`attaches nothing to ${name}`, async () => {
    const before = await state()
    assertFailure(await attach(params), expected)
    assert.deepEqual(await state(), before)
  })

test('a record has at most 100 user tags, and a reader attaches none', async () => {
  const { uuid: resourceUuid } = made(await create({ name: 'tagged often' }))
  const body = { params: { name: 'full' }, userTags: Array.from({ length: 100 }, (_, index) => `t${index}`) }
  const plugin = made(await operator.post('/v1/cluster-plugin', { ...body, params: { ...body.params, apiPort: 9 } }))
  const full = { resourceUuid: plugin.uuid, resourceType: 'ClusterPlugin', tag: 'one more' }
  assertFailure(await attach(full), { status: 409, code: 'SYS.1006', details: 'remove one first' })
  assertFailure(await attach({ resourceUuid, resourceType: 'Tag', tag: 'x' }, reader), { status: 403, code: 'ID.1002' })
  assertFailure(await operator.delete(`/v1/user-tags/${unknownUuid}`), { status: 404, code: 'SYS.1003' })
})
