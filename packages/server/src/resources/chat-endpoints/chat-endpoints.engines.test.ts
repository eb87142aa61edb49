import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { AlertPlatformFixture, assertFailure, ChatReceiver, TestServer } from '@wharf/testkit'

const environment = { WHARF_DOWNLOAD_ALLOW: '127.0.0.0/8' }
const server = await TestServer.start({ after }, { environment, deliveryLimits: { requestMs: 300 } })
const receiver = await ChatReceiver.start({ after })
const { admin } = server
const operator = await server.signIn('operator')
const platform = await AlertPlatformFixture.create(server)
const base = '/v1/sns/application-endpoints/chatapp'
const unknownUuid = 'f'.repeat(32)

type Fields = Record<string, unknown>
const inventoryOf = (answer: { body: Fields; text: string }): Fields => {
  assert.ok(answer.body.inventory, answer.text)
  return answer.body.inventory as Fields
}
const inventoriesOf = (answer: { body: Fields }) => answer.body.inventories as Fields[]
const hidden = 'k3y-1n-the-p4th'
const create = (fields: Fields = {}) =>
  admin.post(base, { params: { name: 'ops', type: 'Slack', url: `https://hooks.example/${hidden}`, ...fields } })
const addPerson = (fields: Fields, headers = {}) => operator.post(`${base}/at-persons`, { params: fields }, headers)

test('an endpoint shows the host of its address and nothing that is a secret', async () => {
  const made = await create({ secret: 'S1gn1ng', atAll: true, platformUuids: [platform.uuid, platform.uuid] })
  const inventory = inventoryOf(made)
  assert.partialDeepStrictEqual(inventory, {
    name: 'ops',
    type: 'Slack',
    url: 'https://hooks.example/…',
    description: null,
    atAll: true,
    language: 'en',
    platformUuids: [platform.uuid],
    state: 'Enabled',
  })
  const [found] = inventoriesOf(await operator.get(`${base}/${inventory.uuid}`))
  assert.deepEqual(found, inventory)
  assert.ok(!made.text.includes(hidden) && !made.text.includes('S1gn1ng'))
})

test('every field but the type can be changed, and omitted fields stay', async () => {
  const { uuid } = inventoryOf(await create({ secret: 'x' }))
  const update = (fields: Fields) => admin.put(`${base}/${uuid}/actions`, { updateChatAppEndpoint: fields })
  const before = inventoryOf(await update({}))
  const change = { name: 'new', description: 'd', atAll: true, language: 'zh', platformUuids: [platform.uuid] }
  assert.partialDeepStrictEqual(inventoryOf(await update(change)), change)
  const moved = inventoryOf(
    await update({ url: 'http://other.example:81/x', stateEvent: 'disable', clear: ['secret'] }),
  )
  assert.partialDeepStrictEqual(moved, { ...change, url: 'http://other.example:81/…', state: 'Disabled' })
  assert.partialDeepStrictEqual(inventoryOf(await update({ stateEvent: 'enable', platformUuids: [] })), {
    state: 'Enabled',
    platformUuids: [],
    createDate: before.createDate,
  })
  assert.equal(inventoryOf(await update({ clear: ['description'] })).description, null)
})

test('an empty string removes neither the name nor the address nor the secret', async () => {
  const { uuid } = inventoryOf(await create({ secret: 'x', description: 'd' }))
  const update = (fields: Fields) => admin.put(`${base}/${uuid}/actions`, { updateChatAppEndpoint: fields })
  const stored = () =>
    server.app.foundation.database.read
      .selectFrom('chatEndpoints')
      .select(['name', 'url', 'sealedSecret', 'description'])
      .where('uuid', '=', String(uuid))
      .executeTakeFirst()
  const before = await stored()
  assert.equal((await update({ name: '', url: '', secret: '', description: '' })).status, 200)
  assertFailure(await update({ url: '  ' }), { status: 400, code: 'SYS.1007', details: 'url' })
  assertFailure(await update({ secret: 'y', clear: ['secret'] }), { status: 400, code: 'SYS.1007', details: 'clear' })
  assert.deepEqual(await stored(), before)
  await update({ clear: ['secret'] })
  assert.equal((await stored())?.sealedSecret, null)
})

const refusedEndpoints: { name: string; fields: Fields; status: number; code: string; details: string }[] = [
  { name: 'no name', fields: { name: '  ' }, status: 400, code: 'SYS.1007', details: 'name' },
  { name: 'no address', fields: { url: '' }, status: 400, code: 'SYS.1007', details: 'url' },
  {
    name: 'another scheme',
    fields: { url: `ftp://x/${hidden}` },
    status: 400,
    code: 'SYS.1007',
    details: 'url must be',
  },
  {
    name: 'a metadata address',
    fields: { url: `http://169.254.169.254/${hidden}` },
    status: 400,
    code: 'SYS.1007',
    details: 'url leads to',
  },
  {
    name: 'a long address',
    fields: { url: `https://x/${hidden.repeat(200)}` },
    status: 400,
    code: 'SYS.1007',
    details: 'url',
  },
  { name: 'an unknown type', fields: { type: 'IRC' }, status: 400, code: 'SYS.1007', details: 'type' },
  {
    name: 'an unknown platform',
    fields: { platformUuids: [platform.uuid, unknownUuid] },
    status: 404,
    code: 'SYS.1003',
    details: unknownUuid,
  },
  { name: 'an unknown tag', fields: { tagUuids: [unknownUuid] }, status: 404, code: 'SYS.1003', details: unknownUuid },
]
for (const { name, fields, status, code, details } of refusedEndpoints) {
  test(`refuses an endpoint with ${name}, does not repeat the value, and stores nothing`, async () => {
    const before = await admin.get(`${base}?count=true`)
    const answer = await create(fields)
    assertFailure(answer, { status, code, details })
    assert.ok(!answer.text.includes(hidden))
    assert.equal((await admin.get(`${base}?count=true`)).text, before.text)
  })
}

test('a uuid is used once', async () => {
  const resourceUuid = 'c'.repeat(32)
  inventoryOf(await create({ resourceUuid }))
  assertFailure(await create({ resourceUuid }), { status: 409, code: 'SYS.1002', details: resourceUuid })
})

test('secrets cannot be queried', async () => {
  for (const field of ['url', 'secret', 'sealedUrl', 'sealedSecret', 'owner', 'leaseUntil'])
    for (const query of [`q=${field}=x`, `q=${field}~=%25${hidden}%25`, `sort=${field}`])
      assertFailure(await admin.get(`${base}?${query}`), { status: 400, code: 'SYS.1007', details: 'no field' })
  const [found] = inventoriesOf(await admin.get(`${base}?fields=url`))
  assert.deepEqual(found, { url: 'https://hooks.example/…' })
})

test('a person is mentioned once by an endpoint, with tags by either name', async () => {
  const { uuid: endpointUuid } = inventoryOf(await create())
  const tag = async (name: string) => inventoryOf(await admin.post('/v1/tags', { params: { name } })).uuid
  const [one, two] = [await tag('on call'), await tag('night')]
  const made = await addPerson({ userId: 'U1', endpointUuid, remark: 'Ann', tagUuid: [one], tagUuids: [one, two] })
  const person = inventoryOf(made)
  assert.partialDeepStrictEqual(person, { userId: 'U1', endpointUuid, remark: 'Ann' })
  const tags = inventoriesOf(await operator.get(`/v1/user-tags?q=resourceUuid=${person.uuid}`))
  assert.deepEqual(tags.map(({ tag }) => tag).toSorted(), ['night', 'on call'])

  assertFailure(await addPerson({ userId: 'U1', endpointUuid }), {
    status: 409,
    code: 'SYS.1002',
    details: 'already mentions the user U1',
  })
  const taken = { userId: 'U9', endpointUuid, resourceUuid: person.uuid }
  assertFailure(await addPerson(taken), { status: 409, code: 'SYS.1002', details: 'uuid' })
  assertFailure(await addPerson({ userId: 'U1', endpointUuid: unknownUuid }), { status: 404, code: 'SYS.1003' })
  const other = inventoryOf(await addPerson({ userId: 'U2', endpointUuid }))
  const act = (uuid: unknown, fields: Fields) =>
    operator.put(`${base}/at-persons/${uuid}/actions`, { updateAtPerson: fields })
  assertFailure(await act(other.uuid, { userId: 'U1' }), {
    status: 409,
    code: 'SYS.1002',
    details: 'already mentions the user U1',
  })
  const unchanged = inventoryOf(await act(other.uuid, { userId: ' ', remark: 'Al' }))
  assert.partialDeepStrictEqual(unchanged, { userId: 'U2', remark: 'Al' })
  assert.partialDeepStrictEqual(inventoryOf(await act(other.uuid, { remark: '' })), { remark: 'Al' })
  assert.partialDeepStrictEqual(inventoryOf(await act(other.uuid, { clear: ['remark'] })), { remark: null })
  const changed = inventoryOf(await act(other.uuid, { userId: 'U3', remark: 'Bo' }))
  assert.partialDeepStrictEqual(changed, { userId: 'U3', remark: 'Bo' })
  assert.deepEqual(inventoriesOf(await operator.get(`${base}/at-persons/${other.uuid}`)), [changed])

  assert.equal((await operator.delete(`${base}/at-persons/${other.uuid}`)).status, 200)
  assertFailure(await operator.delete(`${base}/at-persons/${other.uuid}`), { status: 404, code: 'SYS.1003' })
  assert.equal((await admin.delete(`${base}/${endpointUuid}`)).status, 200)
  assert.deepEqual(inventoriesOf(await operator.get(`${base}/at-persons?q=endpointUuid=${endpointUuid}`)), [])
  assert.deepEqual(inventoriesOf(await operator.get(`/v1/user-tags?q=resourceUuid=${person.uuid}`)), [])
})

test('concurrent calls add a person once', async () => {
  const { uuid: endpointUuid } = inventoryOf(await create())
  const answers = await Promise.all(Array.from({ length: 6 }, () => addPerson({ userId: 'U1', endpointUuid })))
  assert.deepEqual(answers.map(({ status }) => status).toSorted(), [200, 409, 409, 409, 409, 409])
})

for (const type of ['DingTalk', 'WeCom', 'FeiShu', 'Slack', 'Teams']) {
  test(`a test message reaches ${type}, with its mentions`, async () => {
    const url = receiver.webhookUrl(type, `test-${type}`)
    const { uuid } = inventoryOf(await create({ type, url }))
    await addPerson({ userId: type === 'DingTalk' ? '13800138000' : 'U024BE7LH', endpointUuid: uuid })
    const answer = await admin.post(`${base}/${uuid}/test`, {})
    assert.equal(answer.status, 200, answer.text)
    const [request] = receiver.accepted(`test-${type}`)
    assert.match(request?.body ?? '', type === 'DingTalk' ? /@13800138000/ : /U024BE7LH/)
    assert.match(request?.body ?? '', /This is a test/)
  })
}

const failing: { name: string; type: string; answer: Parameters<ChatReceiver['webhookUrl']>[2]; why: string }[] = [
  {
    name: 'a status',
    type: 'Slack',
    answer: { status: 403, body: 'invalid_token' },
    why: 'Slack answered HTTP 403: invalid_token',
  },
  {
    name: 'a code within 200',
    type: 'DingTalk',
    answer: { status: 200, body: '{"errcode":310000,"errmsg":"t0k3n"}' },
    why: 'DingTalk answered 310000',
  },
  { name: 'nothing', type: 'WeCom', answer: 'silence', why: 'did not answer within 0.3 s' },
]
for (const { name, type, answer, why } of failing) {
  test(`a test that is answered with ${name} reports it`, async () => {
    const { uuid } = inventoryOf(await create({ type, url: receiver.webhookUrl(type, `${hidden}-${type}`, answer) }))
    const failed = await admin.post(`${base}/${uuid}/test`)
    assertFailure(failed, { status: 502, code: 'SNS.1001', details: why })
    assert.ok(!failed.text.includes(hidden) && !failed.text.includes('t0k3n'))
  })
}

test('a test of an unknown endpoint is 404', async () => {
  assertFailure(await admin.post(`${base}/${unknownUuid}/test`), { status: 404, code: 'SYS.1003' })
})

test('neither log nor events contain an address or a secret', async () => {
  const rows = await server.app.foundation.database.read.selectFrom('events').selectAll().execute()
  assert.ok(rows.some(({ resourceType }) => resourceType === 'ChatAppEndpoint'))
  for (const text of [server.logText, JSON.stringify(rows)]) assert.ok(!text.includes(hidden) && !text.includes('S1gn'))
})
