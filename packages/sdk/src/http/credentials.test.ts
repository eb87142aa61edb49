import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { TestServer } from '@wharf/testkit'
import { WharfError } from '../error.ts'
import { Wharf } from '../wharf.ts'

const hourMs = 3_600_000
const server = await TestServer.start({ after })
const { accessKeyId: id, accessKeySecret: secret, accountName, password } = server.bootstrap
const accessKey = { id, secret }
const login = { accountName, password }

/** Records the status and path of every response. */
function recordingFetch(): { fetch: typeof fetch; statuses: number[]; paths: string[] } {
  const statuses: number[] = []
  const paths: string[] = []
  return {
    statuses,
    paths,
    fetch: async (input, init) => {
      const response = await fetch(input, init)
      statuses.push(response.status)
      paths.push(new URL(String(input)).pathname)
      return response
    },
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
    password: 'a password',
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
