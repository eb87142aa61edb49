import assert from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import { after, test } from 'node:test'
import { TestServer } from '@wharf/testkit'
import { WharfError } from '../error.ts'
import { Wharf } from '../wharf.ts'

const hourMs = 3_600_000
const server = await TestServer.start({ after })
const { accessKeyId: id, accessKeySecret: secret, accountName, password } = server.bootstrap
const accessKey = { id, secret }
const login = { accountName, password }

type Sent = Record<string, string>

/** Records the status, path and headers of every call; `change` changes the address and headers on their way. */
function recordingFetch(change = (url: string, headers: Sent): [string, Sent] => [url, headers]) {
  const statuses: number[] = []
  const paths: string[] = []
  const sent: Sent[] = []
  return {
    statuses,
    paths,
    sent,
    fetch: (async (input, init) => {
      const [url, headers] = change(String(input), init?.headers as Sent)
      const response = await fetch(url, { ...init, headers })
      statuses.push(response.status)
      paths.push(new URL(String(input)).pathname)
      sent.push(headers)
      return response
    }) as typeof fetch,
  }
}

for (const [name, offsetMs] of Object.entries({ fast: hourMs, slow: -hourMs, 'days behind': -72 * hourMs }))
  test(`a clock that is ${name} is corrected once, by the time of the server`, async () => {
    const { fetch, statuses } = recordingFetch()
    const wharf = new Wharf({ url: server.url, accessKey, fetch, clock: { now: () => Date.now() + offsetMs } })
    for (let call = 0; call < 3; call++) assert.ok((await wharf.hosts.query()).inventories)
    assert.deepEqual(statuses, [401, 200, 200, 200])
  })

test('concurrent calls with a wrong clock cause one failure, so that the key is not locked', async () => {
  const { fetch, statuses } = recordingFetch()
  const wharf = new Wharf({ url: server.url, accessKey, fetch, clock: { now: () => Date.now() + hourMs } })
  await Promise.all(Array.from({ length: 30 }, () => wharf.hosts.query()))
  assert.equal(statuses.filter((status) => status === 401).length, 1)
  assert.equal(statuses.length, 31)
})

test('a wrong secret fails after one attempt', async () => {
  const { fetch, statuses } = recordingFetch()
  const wharf = new Wharf({ url: server.url, accessKey: { id: 'unknownkey', secret: 'wrongsecret' }, fetch })
  await assert.rejects(wharf.hosts.query(), { code: 'ID.1000', status: 401 })
  assert.deepEqual(statuses, [401])
})

test('signs in with the first call, once for concurrent calls', async () => {
  const { fetch, paths } = recordingFetch()
  const wharf = new Wharf({ url: server.url, login, fetch })
  assert.equal(paths.length, 0)
  await Promise.all(Array.from({ length: 10 }, () => wharf.tags.query()))
  assert.equal(paths.filter((path) => path.endsWith('/login')).length, 1)
})

test('signs in again when the session has ended, once for concurrent calls', async () => {
  const { fetch, paths } = recordingFetch()
  const sessions = new Set<string>()
  const wharf = new Wharf({
    url: server.url,
    login,
    fetch: (input, init) => {
      const header = new Headers(init?.headers).get('authorization')
      if (header) sessions.add(header.replace('OAuth ', ''))
      return fetch(input, init)
    },
  })
  await wharf.tags.query()
  for (const session of sessions) await server.anonymous.delete(`/v1/accounts/sessions/${session}`)
  await Promise.all(Array.from({ length: 10 }, () => wharf.tags.query()))
  assert.equal(paths.filter((path) => path.endsWith('/login')).length, 2)
  assert.equal(sessions.size, 2)
})

test('signs in as a user of an account', async () => {
  const { inventory: account } = await new Wharf({ url: server.url, accessKey }).accounts.create({
    name: 'harbour',
    password: 'a long password',
  })
  const admin = new Wharf({ url: server.url, accessKey })
  await admin.users.create({ accountUuid: account.uuid, name: 'pilot', password: 'of the pilot' })
  const pilot = new Wharf({
    url: server.url,
    login: { accountName: 'harbour', userName: 'pilot', password: 'of the pilot' },
  })
  await assert.rejects(pilot.tags.create({ name: 'no' }), { code: 'ID.1002', status: 403 })
})

test('every call fails with a wrong password', async () => {
  const wharf = new Wharf({ url: server.url, login: { accountName, password: 'wrong' } })
  for (let call = 0; call < 2; call++) await assert.rejects(wharf.tags.query(), { code: 'ID.1000' })
})

test('uses the given session', async () => {
  const { inventory } = await new Wharf({ url: server.url }).sessions.logInByAccount(login)
  const wharf = new Wharf({ url: server.url, session: inventory.uuid })
  assert.ok((await wharf.tags.query()).inventories)
  await wharf.sessions.logOut(inventory.uuid)
  await assert.rejects(wharf.tags.query(), (error) => error instanceof WharfError && error.code === 'ID.1001')
})

test('a session that has ended is requested again, once for concurrent calls, and the calls are repeated', async () => {
  const logIn = async () => (await new Wharf({ url: server.url }).sessions.logInByAccount(login)).inventory.uuid
  const first = await logIn()
  const ended: (string | undefined)[] = []
  const wharf = new Wharf({
    url: server.url,
    session: async (uuid) => {
      ended.push(uuid)
      return uuid === undefined ? first : logIn()
    },
  })
  await wharf.tags.query()
  await server.anonymous.delete(`/v1/accounts/sessions/${first}`)
  const answers = await Promise.all(Array.from({ length: 5 }, () => wharf.tags.query()))
  assert.ok(answers.every(({ inventories }) => inventories))
  assert.deepEqual(ended, [undefined, first])
})

test('only public operations work without a credential', async () => {
  const wharf = new Wharf({ url: server.url })
  assert.deepEqual(await wharf.sessions.validate('0'.repeat(32)), { valid: false })
  await assert.rejects(wharf.hosts.query(), { code: 'ID.1001' })
})

test('several credentials and invalid addresses are rejected', () => {
  assert.throws(() => new Wharf({ url: server.url, accessKey, login }), TypeError)
  for (const url of ['', 'wharf.example.com', 'ftp://wharf.example.com'])
    assert.throws(() => new Wharf({ url }), TypeError)
})

test('the address may end with the prefix, a slash or the version', async () => {
  const { origin } = new URL(server.url)
  for (const end of ['', '/', '/wharf', '/wharf/', '/v1', '/wharf/v1/'])
    assert.ok((await new Wharf({ url: origin + end, accessKey }).tags.query()).inventories, end)
})

test('signs the whole call by RFC 9421, each with another nonce', async () => {
  const { fetch, sent, statuses } = recordingFetch()
  const wharf = new Wharf({ url: server.url, accessKey, fetch })
  await wharf.tags.create({ name: 'signed' })
  await wharf.hosts.query({ q: ['name~=%x y%', 'state=Enabled'], limit: 1 })
  await wharf.request({ method: 'GET', path: '/v1/hosts?q=name=a b&limit=1' })
  assert.deepEqual(statuses, [200, 200, 200])
  for (const headers of sent) assert.equal(headers.authorization, undefined)
  const components = sent.map((headers) => /\((.*)\)/.exec(headers['signature-input'] ?? '')?.[1])
  const get = '"@method" "@path" "@query"'
  assert.deepEqual(components, [`${get} "content-digest"`, get, get])
  assert.equal(new Set(sent.map((headers) => /nonce="(\w{32})"/.exec(headers['signature-input'] ?? '')?.[1])).size, 3)
})

test('signs with an Ed25519 key that the server knows the public part of', async () => {
  const pair = generateKeyPairSync('ed25519')
  const publicKey = pair.publicKey.export({ type: 'spki', format: 'pem' }).toString()
  const { accountUuid, userUuid } = server.bootstrap
  const { inventory } = await new Wharf({ url: server.url, accessKey }).accessKeys.create({
    accountUuid,
    userUuid,
    publicKey,
  })
  const privateKey = pair.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
  const wharf = new Wharf({ url: server.url, accessKey: { id: inventory.AccessKeyID, privateKey } })
  assert.ok((await wharf.tags.create({ name: 'by ed25519' })).inventory)
  const wrong = { id: inventory.AccessKeyID, privateKey: publicKey }
  assert.throws(() => new Wharf({ url: server.url, accessKey: wrong }), /must be an Ed25519 private key in PEM/)
})

test('a server of version 1.0 gets the older signature, also when the clock is wrong', async () => {
  // it does not know these headers
  const older = (url: string, { 'signature-input': _, ...headers }: Sent): [string, Sent] => [url, headers]
  for (const [offsetMs, expected] of [
    [0, [401, 200, 200]],
    [hourMs, [401, 401, 200, 200]],
  ] as const) {
    const { fetch, statuses } = recordingFetch(older)
    const wharf = new Wharf({ url: server.url, accessKey, fetch, clock: { now: () => Date.now() + offsetMs } })
    for (let call = 0; call < 2; call++) assert.ok((await wharf.tags.query()).inventories)
    assert.deepEqual(statuses, expected)
  }
})

test('a scheme that is given is used alone', async () => {
  const schemes = [
    { options: { accessKey: { ...accessKey, scheme: 'service' as const } }, header: 'authorization' },
    { options: { accessKey: { ...accessKey, scheme: 'rfc9421' as const } }, header: 'signature-input' },
    { options: { accessKey, authScheme: 'Service' }, header: 'authorization' },
  ]
  for (const { options, header } of schemes) {
    const { fetch, sent, statuses } = recordingFetch()
    await new Wharf({ url: server.url, fetch, ...options }).tags.query()
    assert.deepEqual([statuses, sent.map((headers) => header in headers)], [[200], [true]])
  }
  const strict = new Wharf({
    url: server.url,
    accessKey: { ...accessKey, scheme: 'rfc9421' },
    fetch: recordingFetch((url, { 'signature-input': _, ...headers }) => [url, headers]).fetch,
  })
  await assert.rejects(strict.tags.query(), { code: 'ID.1001' })
})

test('behind a proxy that removes a prefix, the path that the server reports is signed', async () => {
  const { fetch, statuses } = recordingFetch((url, headers) => [url.replace('/team/', '/'), headers])
  const { origin } = new URL(server.url)
  const wharf = new Wharf({ url: `${origin}/team/wharf`, accessKey, fetch })
  for (let call = 0; call < 2; call++) assert.ok((await wharf.tags.query({ q: ['name=a'] })).inventories)
  assert.deepEqual(statuses, [401, 200, 200])
})
