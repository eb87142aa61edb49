import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { AlertPlatformFixture, alertmanagerBody, assertFailure, TestServer, testOnce } from '@wharf/testkit'
import { defaultTemplate } from './default-template.ts'

const server = await TestServer.start({ after })
const { admin } = server
const { database } = server.app.foundation
const operator = await server.signIn('operator')
const platform = await AlertPlatformFixture.create(server)
const at = `/v1/zwatch/third-party/platforms/${platform.uuid}`
const unknownUuid = 'f'.repeat(32)

type Record_ = Record<string, unknown>
const inventoriesOf = (answer: { body: Record_ }) => answer.body.inventories as Record_[]
const alertsOf = async (fixture = platform) =>
  inventoriesOf(await operator.get(`/v1/zwatch/third-party/alerts?q=platformUuid=${fixture.uuid}`))

testOnce('a new platform has the default template, and shows no token', async () => {
  const [found] = inventoriesOf(await operator.get(at))
  assert.equal(found?.type, 'Alertmanager')
  assert.equal(found?.state, 'Enabled')
  assert.equal(found?.template, defaultTemplate)
  assert.equal(found?.lastSyncDate, found?.createDate)
  assert.ok(!JSON.stringify(found).includes(platform.token))
})

const collection = '/v1/zwatch/third-party/platforms'

test('an operator creates a platform without a cluster, and its address accepts alerts with its token', async () => {
  const params = { name: 'plain', type: 'Alertmanager', template: '{{ alert.name }}!', description: 'my own' }
  const key = { 'idempotency-key': 'create-platform' }
  const made = await operator.post(collection, { params, userTags: ['mine'] }, key)
  assert.equal(made.status, 200, made.text)
  const { token, inventory } = made.body as { token: string; inventory: Record_ }
  const uuid = String(inventory.uuid)
  assert.partialDeepStrictEqual(inventory, { ...params, state: 'Enabled' })
  assert.equal(inventory.url, `${server.app.url}${collection}/${uuid}/alerts`)
  assert.match(token, /^[\w-]{43}$/)
  assert.deepEqual((await operator.post(collection, { params, userTags: ['mine'] }, key)).body, {
    ...made.body,
    token: null,
  })
  assert.ok(!(await operator.get(`${collection}/${uuid}`)).text.includes(token))
  const tags = inventoriesOf(await operator.get(`/v1/user-tags?q=resourceUuid=${uuid}`))
  assert.deepEqual(
    tags.map(({ tag, resourceType }) => [tag, resourceType]),
    [['mine', 'ThirdPartyPlatform']],
  )

  const fixture = new AlertPlatformFixture(server.anonymous, { uuid, token })
  assert.equal((await fixture.send({ name: 'Down' })).status, 200)
  assert.equal((await alertsOf(fixture)).length, 1)
  assert.equal((await operator.delete(`${collection}/${uuid}`)).status, 200)
  assert.deepEqual(inventoriesOf(await operator.get(`/v1/user-tags?q=resourceUuid=${uuid}`)), [])
})

testOnce('a platform without a template has the default one, at the address that WHARF_PUBLIC_URL names', async (t) => {
  const reached = await TestServer.start(t, { environment: { WHARF_PUBLIC_URL: 'https://wharf.example/w' } })
  const params = { name: 'plain', type: 'Alertmanager', resourceUuid: 'a'.repeat(32) }
  const { body } = await reached.admin.post(collection, { params })
  const url = `https://wharf.example/w${collection}/${'a'.repeat(32)}/alerts`
  assert.partialDeepStrictEqual(body.inventory, { template: defaultTemplate, url, description: null })
})

for (const [what, more, status, code, details] of [
  ['a name', { name: undefined }, 400, 'SYS.1007', 'params.name'],
  ['a type', { type: undefined }, 400, 'SYS.1007', 'params.type'],
  ['a known type', { type: 'Zabbix' }, 400, 'SYS.1007', 'params.type'],
  ['a template that can be used', { template: '{% if alert %}' }, 400, 'SYS.1007', 'template cannot be used: '],
  ['a uuid of its own', { resourceUuid: platform.uuid }, 409, 'SYS.1002', platform.uuid],
  ['tags that exist', { tagUuids: [unknownUuid] }, 404, 'SYS.1003', unknownUuid],
] as const) {
  testOnce(`no platform is created without ${what}`, async () => {
    const before = await operator.get(`${collection}?count=true`)
    const params = { name: 'plain', type: 'Alertmanager', ...more }
    assertFailure(await operator.post(collection, { params }), { status, code, details })
    assert.equal((await operator.get(`${collection}?count=true`)).text, before.text)
  })
}

testOnce('an operator changes name and template, and disables and enables it', async () => {
  const change = { name: 'other', template: '{{ alert.name }} \n', description: 'ours', stateEvent: 'disable' }
  const changed = await operator.put(`${at}/actions`, { updateThirdpartyPlatform: change })
  assert.equal(changed.status, 200, changed.text)
  const { stateEvent, ...kept } = change
  assert.partialDeepStrictEqual(changed.body.inventory, { ...kept, state: 'Disabled' })
  const back = { name: 'etcd alerts', template: defaultTemplate, stateEvent: 'enable' }
  const again = await operator.put(`${at}/actions`, { updateThirdpartyPlatform: back })
  assert.partialDeepStrictEqual(again.body.inventory, { name: 'etcd alerts', state: 'Enabled', description: 'ours' })
})

testOnce('an empty string changes nothing; clear empties the description', async () => {
  const update = (change: object) => operator.put(`${at}/actions`, { updateThirdpartyPlatform: change })
  const kept = await update({ name: '', template: '', description: '', stateEvent: '' })
  assert.partialDeepStrictEqual(kept.body.inventory, { name: 'etcd alerts', description: 'ours' })
  const both = await update({ description: 'x', clear: ['description'] })
  assertFailure(both, { status: 400, code: 'SYS.1007', details: 'description is given and also named in clear' })
  assertFailure(await update({ clear: ['name'] }), { status: 400, code: 'SYS.1007', details: 'clear' })
  assert.partialDeepStrictEqual((await update({ clear: ['description'] })).body.inventory, { description: null })
})

const templates = ['{% if alert %}', '{% for a in (1..99999999) %}x{% endfor %}', '{{ alert.name | exec }}']
for (const template of templates) {
  testOnce(`refuses to store or preview ${template}`, async () => {
    const before = await operator.get(at)
    const details = 'template cannot be used: '
    for (const body of [{ updateThirdpartyPlatform: { template } }, { previewTemplate: { template } }])
      assertFailure(await operator.put(`${at}/actions`, body), { status: 400, code: 'SYS.1007', details })
    assert.equal((await operator.get(at)).text, before.text)
  })
}

testOnce('previews a template with an example, or with given fields of an alert', async () => {
  const template = '{{ alert.name }} on {{ alert.labels.instance }} of {{ platform.name }}'
  const preview = (more: object) => operator.put(`${at}/actions`, { previewTemplate: { template, ...more } })
  assert.equal((await preview({})).body.text, 'EtcdMemberDown on 10.0.0.2:2379 of etcd alerts')
  const alert = { labels: { alertname: 'Full', instance: 'a*b' } }
  assert.equal((await preview({ alert })).body.text, 'Full on a\\*b of etcd alerts')
  const wrong = await preview({ alert: { startsAt: 'yesterday' } })
  assertFailure(wrong, { status: 400, code: 'SYS.1007', details: 'alert.startsAt must be a time' })
})

testOnce('a new token is shown once, and the old one is refused', async () => {
  const fixture = await AlertPlatformFixture.create(server)
  const path = `/v1/zwatch/third-party/platforms/${fixture.uuid}/actions`
  const key = { 'idempotency-key': 'reset' }
  const { token } = (await operator.put(path, { resetToken: {} }, key)).body
  assert.match(String(token), /^[\w-]{43}$/)
  assert.notEqual(token, fixture.token)
  assert.equal((await operator.put(path, { resetToken: {} }, key)).body.token, null)
  assertFailure(await fixture.send({ name: 'old' }), { status: 401, code: 'ID.1000' })
  assert.equal(
    (await new AlertPlatformFixture(server.anonymous, { uuid: fixture.uuid, token: String(token) }).send()).status,
    200,
  )
})

test('a platform that is created again with its uuid accepts none of the old tokens', async () => {
  const resourceUuid = 'c'.repeat(32)
  const params = { name: 'again', type: 'Alertmanager', resourceUuid }
  const tokens: string[] = []
  for (let round = 0; round < 2; round++) {
    tokens.push(String((await operator.post(collection, { params })).body.token))
    const reset = await operator.put(`${collection}/${resourceUuid}/actions`, { resetToken: {} })
    tokens.push(String(reset.body.token))
    const statuses = tokens.map(
      async (token) => (await new AlertPlatformFixture(server.anonymous, { uuid: resourceUuid, token }).send()).status,
    )
    const expected = tokens.map((_, at) => (at === tokens.length - 1 ? 200 : 401))
    assert.deepEqual(await Promise.all(statuses), expected)
    assert.equal((await operator.delete(`${collection}/${resourceUuid}`)).status, 200)
  }
})

test('an alert is stored once for each change of its state', async () => {
  const fixture = await AlertPlatformFixture.create(server)
  const labels = { instance: 'n1', severity: 'page' }
  const again = '2026-11-05T03:00:00Z'
  const sent = [
    [{ name: 'Down', labels }],
    [{ name: 'Down', labels }],
    [{ name: 'Down', labels }, { name: 'Full' }],
    [{ name: 'Down', labels, status: 'resolved' }],
    [{ name: 'Down', labels, status: 'resolved' }],
    [{ name: 'Down', labels, startsAt: again }],
    [{ name: 'Twice' }, { name: 'Twice' }],
    [],
  ] as const
  for (const alerts of sent) {
    const answer = await fixture.send(...alerts)
    assert.equal(answer.status, 200, answer.text)
    assert.deepEqual(answer.body, { success: true, error: null })
  }
  const stored = (await alertsOf(fixture)).map(({ name, status, severity, startsAt, endsAt }) =>
    [name, status, severity, startsAt, endsAt].join('|'),
  )
  assert.deepEqual(stored.toSorted(), [
    'Down|firing|page|Nov 5, 2026 1:02:03 AM|',
    'Down|firing|page|Nov 5, 2026 3:00:00 AM|',
    'Down|resolved|page|Nov 5, 2026 1:02:03 AM|Nov 5, 2026 2:02:03 AM',
    'Full|firing|critical|Nov 5, 2026 1:02:03 AM|',
    'Twice|firing|critical|Nov 5, 2026 1:02:03 AM|',
  ])
  const [down] = (await alertsOf(fixture)).filter(({ name }) => name === 'Down')
  assert.deepEqual(down?.labels, { alertname: 'Down', ...labels })
  assert.deepEqual(down?.annotations, {})
})

test('concurrent repetitions of a webhook are stored once', async () => {
  const fixture = await AlertPlatformFixture.create(server)
  const names = Array.from({ length: 20 }, (_, n) => ({ name: `a${n}` }))
  const answers = await Promise.all(
    Array.from({ length: 8 }, (_, n) => fixture.send(...(n % 2 ? names : names.toReversed()))),
  )
  assert.ok(answers.every(({ status }) => status === 200))
  assert.equal((await alertsOf(fixture)).length, 20)
})

test('a webhook of a disabled platform is answered, and only its time is stored', async () => {
  const fixture = await AlertPlatformFixture.create(server)
  await operator.put(`/v1/zwatch/third-party/platforms/${fixture.uuid}/actions`, {
    updateThirdpartyPlatform: { stateEvent: 'disable' },
  })
  await database.transaction((tx) =>
    tx.updateTable('thirdPartyPlatforms').set({ lastSyncDate: 0 }).where('uuid', '=', fixture.uuid).execute(),
  )
  assert.equal((await fixture.send({ name: 'Down' })).status, 200)
  assert.deepEqual(await alertsOf(fixture), [])
  const { lastSyncDate } = await database.read
    .selectFrom('thirdPartyPlatforms')
    .select('lastSyncDate')
    .where('uuid', '=', fixture.uuid)
    .executeTakeFirstOrThrow()
  assert.ok(lastSyncDate > 0)
})

testOnce('an alert whose template fails is not lost, and the next one is rendered', async () => {
  const fixture = await AlertPlatformFixture.create(server)
  const template = '{% if alert.labels.slow %}{% for a in (1..900000) %}{{ a }}{% endfor %}{% endif %}fine'
  const params = { name: 'all', type: 'Slack', url: 'https://chat.example/x', platformUuids: [fixture.uuid] }
  await admin.post('/v1/sns/application-endpoints/chatapp', { params })
  await operator.put(`/v1/zwatch/third-party/platforms/${fixture.uuid}/actions`, {
    updateThirdpartyPlatform: { template },
  })
  const annotations = { summary: 'It is *slow*' }
  const answer = await fixture.send({ name: 'Slow', labels: { slow: 'yes' }, annotations }, { name: 'Good' })
  assert.equal(answer.status, 200, answer.text)
  const deliveries = inventoriesOf(await operator.get('/v1/sns/deliveries?sort=title'))
  assert.deepEqual(
    deliveries.map(({ title }) => title),
    ['Good', 'Slow'],
  )
  assert.equal(deliveries[0]?.text, 'fine')
  assert.match(
    String(deliveries[1]?.text),
    /^It is \\\*slow\\\*\nfiring since Nov 5, 2026 .* UTC\n\(The template of etcd alerts failed: /,
  )
})

const bearer = `Bearer ${platform.token}`
const refused: {
  name: string
  send: () => ReturnType<AlertPlatformFixture['post']>
  status: number
  code: string
  details?: string
}[] = [
  {
    name: 'no token',
    send: () => platform.post(alertmanagerBody(), {}),
    status: 401,
    code: 'ID.1001',
    details: 'must read Bearer',
  },
  {
    name: 'another scheme',
    send: () => platform.post({}, { authorization: `OAuth ${platform.token}` }),
    status: 401,
    code: 'ID.1001',
  },
  {
    name: 'a wrong token',
    send: () => platform.post({}, { authorization: `${bearer}x` }),
    status: 401,
    code: 'ID.1000',
  },
  {
    name: 'a token of the same length',
    send: () => platform.post({}, { authorization: `Bearer ${'x'.repeat(43)}` }),
    status: 401,
    code: 'ID.1000',
  },
  {
    name: 'an unknown platform',
    send: () => new AlertPlatformFixture(server.anonymous, { uuid: unknownUuid, token: platform.token }).send(),
    status: 404,
    code: 'SYS.1003',
  },
  {
    name: 'no uuid',
    send: () => new AlertPlatformFixture(server.anonymous, { uuid: 'x', token: platform.token }).send(),
    status: 404,
    code: 'SYS.1003',
  },
  {
    name: 'no body',
    send: () => platform.post(undefined),
    status: 400,
    code: 'SYS.1007',
    details: 'the body must be a JSON object',
  },
  {
    name: 'broken JSON',
    send: () => platform.post('{"version":'),
    status: 400,
    code: 'SYS.1007',
    details: 'not valid JSON',
  },
  {
    name: 'another version',
    send: () => platform.post({ version: '3' }),
    status: 400,
    code: 'SYS.1007',
    details: 'version must be "4"',
  },
  {
    name: 'one bad alert among good ones',
    send: () => platform.post({ version: '4', alerts: [...alertmanagerBody({ name: 'good' }).alerts, {}] }),
    status: 400,
    code: 'SYS.1007',
    details: 'alerts[1].status',
  },
  {
    name: 'too much',
    send: () => platform.post({ ...alertmanagerBody(), filler: 'x'.repeat(256 * 1024) }),
    status: 413,
    code: 'SYS.1007',
    details: '256 KiB',
  },
  {
    name: 'a form',
    send: () => platform.post('a=b', { authorization: bearer, 'content-type': 'application/x-www-form-urlencoded' }),
    status: 415,
    code: 'SYS.1007',
  },
  {
    name: 'another method',
    send: () => server.anonymous.get(platform.path),
    status: 405,
    code: 'SYS.1007',
    details: 'use POST',
  },
]
for (const { name, send, status, code, details = '' } of refused) {
  testOnce(`ingestion refuses ${name}, and nothing changes`, async () => {
    const before = await alertsOf()
    const answer = await send()
    assertFailure(answer, { status, code, details })
    if (status === 401) assert.equal(answer.headers.get('www-authenticate'), 'Bearer realm="wharf"')
    assert.ok(!answer.text.includes(platform.token))
    assert.deepEqual(await alertsOf(), before)
  })
}

testOnce('a sender that guesses tokens must wait, as with keys', async (t) => {
  const guessed = await TestServer.start(t, { environment: { WHARF_TRUSTED_PROXIES: '127.0.0.1/32' } })
  const fixture = await AlertPlatformFixture.create(guessed)
  const from = (address: string, token: string) =>
    fixture.post(alertmanagerBody(), { authorization: `Bearer ${token}`, 'x-forwarded-for': address })
  for (let n = 0; n < 10; n++) assert.equal((await from('10.0.0.1', 'x')).status, 401)
  const blocked = await from('10.0.0.1', fixture.token)
  assertFailure(blocked, { status: 429, code: 'ID.1003' })
  assert.ok(Number(blocked.headers.get('retry-after')) > 0)
  assert.equal((await from('10.0.0.2', fixture.token)).status, 200)
})

testOnce('a valid token is accepted from a blocked address, an invalid one is not', async (t) => {
  const server = await TestServer.start(t)
  const fixture = await AlertPlatformFixture.create(server)
  const send = (token: string) => fixture.post(alertmanagerBody(), { authorization: `Bearer ${token}` })
  for (let n = 0; n < 100; n++)
    await server.anonymous.get('/v1/tags', { authorization: `Service invented-${n}:x`, date: new Date().toUTCString() })
  assertFailure(await send('x'), { status: 429, code: 'ID.1003' })
  assert.equal((await send(fixture.token)).status, 200)
})

test('a platform is deleted with its alerts, and its sender gets 404', async () => {
  const fixture = await AlertPlatformFixture.create(server)
  await fixture.send({ name: 'Down' })
  assert.equal((await operator.delete(`/v1/zwatch/third-party/platforms/${fixture.uuid}`)).status, 200)
  assert.deepEqual(await alertsOf(fixture), [])
  assertFailure(await fixture.send({ name: 'Down' }), { status: 404, code: 'SYS.1003' })
  const again = await operator.delete(`/v1/zwatch/third-party/platforms/${fixture.uuid}`)
  assertFailure(again, { status: 404, code: 'SYS.1003' })
})

testOnce('no token is in the log', () => {
  assert.ok(server.logText.includes('/alerts'))
  assert.ok(!server.logText.includes(platform.token))
})
