import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, test } from 'node:test'
import {
  type Answer,
  assertFailure,
  assertUnchanged,
  type Client,
  installable,
  PackageFixture,
  recordIn,
  tusCall,
  tusHead,
  tusPatch,
} from '@wharf/testkit'

const fixture = await PackageFixture.start({ after })
const { source, folder, server } = fixture
const { hostUuid, managementNodeUuid } = server.bootstrap
const [uploader, operator, neighbour, reader] = await Promise.all([
  // to the machine of the server
  server.signIn('admin'),
  server.signIn('operator'),
  server.signIn('operator'),
  server.signIn('reader'),
])
const bytes = installable()
let count = 0
const newPath = (): string => join(folder, `p${count++}.tar`)

/** The tags of one package, by their name before `::`. */
async function tagsOf(uuid: string, as: Client = fixture.admin): Promise<Record<string, string>> {
  const { body } = await as.get(`/v1/system-tags?q=resourceUuid=${uuid}`)
  const tags = (body.inventories as { tag: string }[]).map(({ tag }) => tag)
  return Object.fromEntries(tags.map((tag) => [tag.split('::', 1)[0], tag.slice(tag.indexOf('::') + 2)]))
}

const uploadUrlIn = ({ body }: Answer): string => String((body.systemTags as string[])[0]).replace(/^uploadUrl::/, '')

/** Sends the body unchanged as this client. */
const send = (as: Client, body: object): Promise<Answer> => as.post('/v1/software-packages/upload', body)

const sendToStorage = (as: Client): Promise<Answer> => {
  const fields = { name: 'demo', type: 'demo', url: `upload://demo.tar?size=${bytes.length}` }
  return as.post('/v1/software-packages/backup-storage/upload', {
    params: { ...fields, installPath: `p${count++}.tar` },
  })
}

const params = (more: object = {}) => ({
  name: 'demo',
  type: 'demo',
  hostUuid,
  managementNodeUuid,
  url: `upload://demo.tar?size=${bytes.length}`,
  installPath: newPath(),
  ...more,
})

test('the URL of an upload is visible to the user who started it and to admins, and hidden from others', async () => {
  const started = await sendToStorage(operator)
  assert.equal(started.status, 200, started.text)
  const { uuid } = recordIn(started)
  for (const as of [operator, fixture.admin]) assert.equal((await tagsOf(uuid, as)).uploadUrl, uploadUrlIn(started))
  for (const as of [neighbour, reader]) {
    const { body } = await as.get(`/v1/system-tags?q=resourceUuid=${uuid}&q=tag~=uploadUrl%25`)
    const [tag] = body.inventories as { uuid: string; tag: string }[]
    assert.equal(tag?.tag, 'uploadUrl::[hidden]')
    const one = await as.get(`/v1/system-tags/${tag?.uuid}`)
    assert.ok(!one.text.includes('signature'), one.text)
    const some = await as.get(`/v1/system-tags?q=resourceUuid=${uuid}&fields=tag`)
    assert.ok(!some.text.includes('signature'), some.text)
  }
  const guessed = encodeURIComponent(`tag~=%signature%`)
  assert.equal((await reader.get(`/v1/system-tags?count=true&q=${guessed}`)).body.total, 0)
  assert.equal((await tusHead(uploadUrlIn(started))).status, 200)
})

test('a query with few fields still shows the URL to those who may see it', async () => {
  const started = await send(uploader, { params: params() })
  const { body } = await uploader.get(`/v1/system-tags?q=resourceUuid=${recordIn(started).uuid}&fields=tag`)
  assert.ok((body.inventories as { tag: string }[]).some(({ tag }) => tag === `uploadUrl::${uploadUrlIn(started)}`))
})

/** Every end of an upload except its timeout, which slices.slow.test.ts covers. */
const endings: Record<string, (uuid: string, address: string) => Promise<unknown>> = {
  'is complete': async (uuid, address) => {
    assert.equal((await tusPatch(address, 0, bytes)).status, 204)
    return fixture.waitUntil(uuid, ({ status }) => status === 'Uploaded')
  },
  'is terminated': (_, address) => tusCall('DELETE', address),
  'has another MD5': (_, address) => tusPatch(address, 0, Buffer.alloc(bytes.length)),
  'is deleted with its package': (uuid) => fixture.remove(uuid),
}
for (const [how, end] of Object.entries(endings))
  test(`the URL is removed when an upload ${how}`, async () => {
    const md5 = how === 'has another MD5' ? `&md5=${'0'.repeat(32)}` : ''
    const started = await send(uploader, { params: params({ url: `upload://demo.tar?size=${bytes.length}${md5}` }) })
    const { uuid } = recordIn(started)
    assert.ok((await tagsOf(uuid)).uploadUrl)
    await end(uuid, uploadUrlIn(started))
    for (const as of [fixture.admin, uploader]) assert.equal((await tagsOf(uuid, as)).uploadUrl, undefined)
  })

test('the same key finds the same upload, and only for the same user, host and path', async () => {
  const key = { systemTags: ['uploadSoftwarePackage::the file, 5 KiB'] }
  const first = params()
  const started = await send(uploader, { params: first, ...key })
  await tusPatch(uploadUrlIn(started), 0, bytes.subarray(0, 1000))
  const again = await send(uploader, { params: first, ...key })
  assert.equal(recordIn(again).uuid, recordIn(started).uuid)
  assert.equal(uploadUrlIn(again), uploadUrlIn(started))
  assert.equal((await tusHead(uploadUrlIn(again))).headers.get('upload-offset'), '1000')
  assert.equal((await tagsOf(recordIn(started).uuid)).uploadSoftwarePackage, 'the file, 5 KiB')

  const elsewhere = await send(uploader, { params: { ...first, installPath: newPath() }, ...key })
  assert.notEqual(recordIn(elsewhere).uuid, recordIn(started).uuid)
  assert.equal((await tusHead(uploadUrlIn(elsewhere))).headers.get('upload-offset'), '0')
  const { hostUuid: _h, managementNodeUuid: _n, ...toStorage } = { ...first, installPath: first.installPath.slice(1) }
  const stored = await uploader.post('/v1/software-packages/backup-storage/upload', { params: toStorage, ...key })
  assert.equal(stored.status, 200, stored.text)
  assert.notEqual(recordIn(stored).uuid, recordIn(started).uuid)

  await assertUnchanged(fixture, async () => {
    for (const [as, tags] of [
      [fixture.admin, key],
      [uploader, { systemTags: ['uploadSoftwarePackage::another file'] }],
      [uploader, {}],
    ] as const)
      assertFailure(await send(as, { params: first, ...tags }), { status: 409, code: 'SYS.1002' })
  })

  await tusPatch(uploadUrlIn(started), 1000, bytes.subarray(1000))
  await fixture.waitUntil(recordIn(started).uuid, ({ status }) => status === 'Uploaded')
  assertFailure(await send(uploader, { params: first, ...key }), { status: 409, code: 'SYS.1002' })
})

test('a key has 1 to 128 printable characters', async () => {
  await assertUnchanged(fixture, async () => {
    for (const key of ['', 'x'.repeat(129), 'a\tb', 'ü']) {
      const refused = await send(uploader, { params: params(), systemTags: [`uploadSoftwarePackage::${key}`] })
      assertFailure(refused, { status: 400, code: 'SYS.1007', details: 'uploadSoftwarePackage' })
    }
  })
})

test('an uploadConfig contains fields in any form, and the body takes precedence', async () => {
  const url = source.serve('p.tar', bytes)
  const fields = () => ({ ...params({ url }), name: 'from the tag' })
  const base64 = (text: string): string => Buffer.from(text).toString('base64')
  for (const [form, write] of [
    ['JSON', (json: string) => json],
    ['JSON in a second pair of braces', (json: string) => `{${json}}`],
    ['base64', base64],
  ] as const) {
    const given = fields()
    const systemTags = [`uploadConfig::${write(JSON.stringify(given))}`]
    const done = await send(uploader, { params: { name: 'from the body' }, systemTags })
    assert.equal(done.status, 200, `${form}: ${done.text}`)
    const { uuid, name, installPath } = recordIn(done)
    assert.deepEqual([name, installPath], ['from the body', given.installPath])
    const { uploadConfig = '' } = await tagsOf(uuid)
    assert.deepEqual(JSON.parse(uploadConfig), { ...given, name: 'from the body' })
  }
  const whole = await send(uploader, { systemTags: [`uploadConfig::${JSON.stringify({ params: fields() })}`] })
  assert.equal(recordIn(whole).name, 'from the tag', whole.text)
  await assertUnchanged(fixture, async () => {
    for (const text of ['{', '[]', '5', '{"unknown":1}', '{"name":"only"}']) {
      const refused = await send(uploader, { systemTags: [`uploadConfig::${text}`] })
      assertFailure(refused, { status: 400, code: 'SYS.1007' })
    }
  })
})

test('a stored uploadConfig contains no user, password or query', async () => {
  const url = source.serve('q.tar', bytes)
  const secret = url.replace('http://', 'http://me:hunter2@').concat('?token=hunter3#hunter4')
  const done = await send(uploader, { params: params({ url: secret }), systemTags: [`uploadConfig::{"name":"x"}`] })
  assert.equal(done.status, 200, done.text)
  const { uploadConfig = '' } = await tagsOf(recordIn(done).uuid)
  assert.equal(JSON.parse(uploadConfig).url, url)
  const everything = await server.app.foundation.database.read.selectFrom('systemTags').selectAll().execute()
  assert.doesNotMatch(JSON.stringify(everything), /hunter/)
  assert.doesNotMatch(server.logText, /hunter/)
})

test('an installConfig contains the configuration, and is stored without write-only fields', async () => {
  const config = {
    type: 'object',
    additionalProperties: false,
    properties: {
      colour: { type: 'string' },
      password: { type: 'string', writeOnly: true },
      user: { type: 'object', properties: { name: { type: 'string' }, key: { type: 'string', writeOnly: true } } },
    },
  }
  const hooks = { install: 'cat', uninstall: ':' }
  const uploaded = await fixture.upload({
    url: source.serve('c.tar', installable({ config, hooks })),
    installPath: newPath(),
  })
  const { uuid } = recordIn(uploaded)
  const act = (body: object): Promise<Answer> => uploader.put(`/v1/software-package/install/${uuid}/actions`, body)
  const sent = { colour: 'red', password: 'hunter2', user: { name: 'me', key: 'hunter3' } }
  const tag = (value: object): string => `installConfig::${JSON.stringify({ config: JSON.stringify(value) })}`
  const storedConfig = async (): Promise<unknown> => {
    const { installConfig = '' } = await tagsOf(uuid)
    return JSON.parse(JSON.parse(installConfig).config)
  }

  const installed = await act({ systemTags: [tag(sent)] })
  assert.equal(installed.status, 200, installed.text)
  assert.deepEqual(await storedConfig(), { colour: 'red', user: { name: 'me' } })
  await fixture.uninstall(uuid)
  const config2 = JSON.stringify({ colour: 'blue' })
  await act({ installSoftwarePackage: { config: config2 }, systemTags: [tag(sent)] })
  assert.deepEqual(await storedConfig(), { colour: 'blue' }, 'the body takes precedence, and the older tag is removed')
  const everything = await server.app.foundation.database.read.selectFrom('systemTags').selectAll().execute()
  assert.doesNotMatch(JSON.stringify(everything), /hunter/)
})

test('the configuration of a package without a schema is not stored', async () => {
  const { uuid } = recordIn(await fixture.upload({ url: source.serve('d.tar', bytes), installPath: newPath() }))
  assert.equal((await fixture.install(uuid, { password: 'hunter5' })).status, 200)
  assert.equal((await tagsOf(uuid)).installConfig, '{}')
})

test('a likely typo of a known system tag is refused by name, and other system tags are stored', async () => {
  await assertUnchanged(fixture, async () => {
    for (const tag of ['uploadUrl', 'uploadurl::x', 'uploadUrl:x', 'uploadUr::x']) {
      const refused = await send(uploader, { params: params(), systemTags: [tag] })
      assertFailure(refused, { status: 400, code: 'SYS.1007', details: 'uploadUrl::' })
    }
  })
  const systemTags = ['colour::red', 'plain', ' spaced :: out ']
  const started = await send(uploader, { params: params(), systemTags })
  assert.equal(started.status, 200, started.text)
  const { body } = await uploader.get(`/v1/system-tags?q=resourceUuid=${recordIn(started).uuid}&sort=tag`)
  const tags = (body.inventories as { tag: string }[]).map(({ tag }) => tag)
  for (const tag of systemTags) assert.ok(tags.includes(tag), tag)
})

test('the configuration of another operation is ignored on a create and not stored', async () => {
  const systemTags = ['installConfig::{"password":"hunter6"}', 'initConfig::{"password":"hunter6"}', 'other::kept']
  const url = source.serve('i.tar', bytes)
  const { hostUuid: _h, managementNodeUuid: _n, ...toStorage } = params({ url, installPath: 'i.tar' })
  const created = [
    await send(uploader, { params: params(), systemTags }),
    await send(uploader, { params: params({ url }), systemTags }),
    await uploader.post('/v1/software-packages/backup-storage/upload', { params: toStorage, systemTags }),
    await uploader.post('/v1/cluster-plugin', { params: { name: 'unrelated' }, systemTags }),
    await uploader.post('/v1/tags', {
      params: { name: 'unrelated' },
      systemTags: [...systemTags, 'uploadConfig::{"password":"hunter6"}'],
    }),
  ]
  for (const answer of created) {
    assert.equal(answer.status, 200, answer.text)
    const { other, installConfig, initConfig } = await tagsOf(recordIn(answer).uuid)
    assert.deepEqual([other, installConfig, initConfig], ['kept', undefined, undefined])
  }
  const everything = await server.app.foundation.database.read.selectFrom('systemTags').selectAll().execute()
  assert.doesNotMatch(JSON.stringify(everything), /hunter/)
})

test('an uploadUrl that a caller sends is not stored', async () => {
  const evil = 'uploadUrl::http://elsewhere.example/'
  const done = await send(uploader, { params: params({ url: source.serve('e.tar', bytes) }), systemTags: [evil] })
  assert.equal(done.status, 200, done.text)
  assert.equal((await tagsOf(recordIn(done).uuid)).uploadUrl, undefined)
})

test('tags by uuid must exist; they and free tags are found by queries', async () => {
  const created = await fixture.admin.post('/v1/tags', { params: { name: 'green' } })
  const tagUuid = (created.body.inventory as { uuid: string }).uuid
  const url = source.serve('f.tar', bytes)
  await assertUnchanged(fixture, async () => {
    const refused = await send(uploader, { params: params({ url, tagUuids: [tagUuid, 'f'.repeat(32)] }) })
    assertFailure(refused, { status: 404, code: 'SYS.1003', details: 'f'.repeat(32) })
  })
  const body = { params: params({ url, name: 'tagged', tagUuids: [tagUuid] }), userTags: ['free', 'mine::too'] }
  const { uuid } = recordIn(await send(uploader, body))
  const { body: found } = await reader.get(`/v1/user-tags?q=resourceUuid=${uuid}&sort=tag`)
  const tags = (found.inventories as { tag: string; tagUuid: string | null }[]).map((row) => [row.tag, row.tagUuid])
  assert.deepEqual(tags, [
    ['free', null],
    ['green', tagUuid],
    ['mine::too', null],
  ])

  for (const [query, expected] of [
    ['q=__userTag__=free', [uuid]],
    ['q=__userTag__=green', [uuid]],
    ['q=__userTag__~=mine%25', [uuid]],
    ['q=__userTag__=other', []],
    [`q=__systemTag__~=uploadConfig%25tagged%25`, [uuid]],
    ['q=name=tagged&q=status=Uploaded&q=size>0', [uuid]],
    ['q=name=tagged&q=md5sum is null', []],
    ['q=name~=TAG%25&sort=-size', [uuid]],
    ['q=name=tagged&fields=uuid', [uuid]],
  ] as const) {
    const { body: page } = await reader.get(`/v1/software-package?${query.replaceAll(' ', '%20')}`)
    assert.deepEqual(
      (page.inventories as { uuid: string }[]).map((row) => row.uuid),
      expected,
      query,
    )
  }
  const { body: few } = await reader.get(`/v1/software-package/${uuid}?fields=name,status`)
  assert.deepEqual(few.inventories, [{ name: 'tagged', status: 'Uploaded' }])
  const { body: sorted } = await reader.get('/v1/software-package?sort=-installPath&limit=2&replyWithCount=true')
  const paths = (sorted.inventories as { installPath: string }[]).map(({ installPath }) => installPath)
  assert.deepEqual(paths, paths.toSorted().reverse())
  assert.ok(Number(sorted.total) > 2)
  for (const field of ['manifest', 'format', 'topFolder', 'softwareName', 'sealedInstallConfig', 'nothing'])
    assertFailure(await reader.get(`/v1/software-package?q=${field}=x`), {
      status: 400,
      code: 'SYS.1007',
      details: field,
    })

  assert.equal((await fixture.remove(uuid)).status, 200)
  for (const kind of ['system', 'user'])
    assert.equal((await reader.get(`/v1/${kind}-tags?count=true&q=resourceUuid=${uuid}`)).body.total, 0)
})
