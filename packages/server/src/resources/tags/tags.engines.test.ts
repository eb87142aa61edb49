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
