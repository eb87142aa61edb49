import assert from 'node:assert/strict'
import crypto, { hash } from 'node:crypto'
import { request } from 'node:http'
import { syncBuiltinESMExports } from 'node:module'
import { type TestContext, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { type Answer, assertFailure, Client, MovingClock, TestServer } from '@wharf/testkit'

const times = async <T>(count: number, work: (n: number) => Promise<T>): Promise<T[]> => {
  const results: T[] = []
  for (let n = 0; n < count; n++) results.push(await work(n))
  return results
}
const statuses = (answers: readonly Answer[]): number[] => [...new Set(answers.map(({ status }) => status))]

/** A server behind a proxy, so that a test can call from many addresses. */
async function start(t: TestContext) {
  const clock = new MovingClock()
  const server = await TestServer.start(t, { clock, environment: { WHARF_TRUSTED_PROXIES: '127.0.0.1/32' } })
  const { password: right, accessKeyId, accessKeySecret } = server.bootstrap
  const logIn = (source: string, accountName: string, password: string): Promise<Answer> =>
    server.anonymous.put(
      '/v1/accounts/login',
      { logInByAccount: { accountName, password } },
      { 'x-forwarded-for': source },
    )
  const signed = (source: string, id = accessKeyId, secret = accessKeySecret): Promise<Answer> =>
    new Client(server.url, { kind: 'key', id, secret }, clock).get('/v1/tags', { 'x-forwarded-for': source })
  return { clock, server, right, logIn, signed }
}

function isBlocked(answer: Answer, seconds = 60): void {
  assertFailure(answer, { status: 429, code: 'ID.1003' })
  assert.equal(answer.headers.get('retry-after'), String(seconds))
}

/** Records the cost of every hash from now on. */
function watchScrypt(t: TestContext): unknown[] {
  const costs: unknown[] = []
  const { scrypt } = crypto
  t.mock.method(crypto, 'scrypt', (...given: Parameters<typeof scrypt>) => {
    costs.push(given[3])
    return scrypt(...given)
  })
  syncBuiltinESMExports()
  t.after(() => {
    t.mock.restoreAll()
    syncBuiltinESMExports()
  })
  return costs
}

test('ten wrong passwords in a minute block that name from that address, right ones too', async (t) => {
  const { clock, right, logIn } = await start(t)
  assert.deepEqual(statuses(await times(10, () => logIn('192.0.2.1', 'admin', 'guess'))), [401])
  clock.advance(20_000)
  isBlocked(await logIn('192.0.2.1', 'admin', 'guess'), 40)
  isBlocked(await logIn('192.0.2.1', 'admin', right), 40)
  assert.equal((await logIn('192.0.2.2', 'admin', right)).status, 200, 'right credentials from elsewhere')
  assert.equal((await logIn('192.0.2.1', 'another', 'guess')).status, 401, 'another name from here')
  clock.advance(40_000)
  assert.equal((await logIn('192.0.2.1', 'admin', right)).status, 200, 'a minute later')
})

test('ten wrong signatures block that key from that address, and nothing else', async (t) => {
  const { server, right, signed, logIn } = await start(t)
  const { accessKeyId } = server.bootstrap
  const session = await server.logIn('admin', right)
  assert.deepEqual(statuses(await times(10, () => signed('192.0.2.1', accessKeyId, 'not the secret'))), [401])
  isBlocked(await signed('192.0.2.1'))
  assert.equal((await signed('192.0.2.2')).status, 200, 'the key from elsewhere')
  assert.equal((await logIn('192.0.2.1', 'admin', right)).status, 200, 'a login from here')
  assert.equal((await session.get('/v1/tags', { 'x-forwarded-for': '192.0.2.1' })).status, 200, 'a session from here')
})

test('a hundred failures block an address for every name and every wrong signature, and no session', async (t) => {
  const { server, right, logIn, signed } = await start(t)
  const session = await server.logIn('admin', right)
  const failures = await times(100, (n) =>
    n % 2 === 0 ? logIn('192.0.2.1', `nobody ${n}`, 'guess') : signed('192.0.2.1', `no-such-key-${n}`, 'guess'),
  )
  assert.deepEqual(statuses(failures), [401])
  isBlocked(await logIn('192.0.2.1', 'admin', right))
  isBlocked(await signed('192.0.2.1', 'no-such-key'))
  const here = { 'x-forwarded-for': '192.0.2.1' }
  assert.deepEqual(statuses(await times(30, () => session.get('/v1/tags', here))), [200])
  const { uuid } = session.credential as { uuid: string }
  assert.equal((await server.anonymous.get(`/v1/accounts/sessions/${uuid}/valid`, here)).body.valid, true)
  assert.equal((await server.anonymous.get('/healthz', here)).status, 200)
  assert.equal((await logIn('192.0.2.2', 'admin', right)).status, 200)
  assert.equal((await signed('192.0.2.2')).status, 200)
})

test('a valid signature passes the block of its address, however many keys were invented there', async (t) => {
  const { server, signed } = await start(t)
  const { accessKeyId } = server.bootstrap
  await times(150, (n) => signed('192.0.2.1', `invented-${n}`, 'guess'))
  isBlocked(await signed('192.0.2.1', 'invented-151', 'guess'))
  assert.deepEqual(statuses(await times(20, () => signed('192.0.2.1'))), [200])
  // guesses at the key itself are limited as from other addresses, and do not reveal that it exists
  const guesses = await times(10, () => signed('192.0.2.1', accessKeyId, 'not the secret'))
  for (const answer of guesses) isBlocked(answer)
  isBlocked(await signed('192.0.2.1'))
  assert.equal((await signed('192.0.2.2')).status, 200)
})

test('a block has the same response for a key that exists and one that does not', async (t) => {
  const { clock, server, signed } = await start(t)
  const { accessKeyId } = server.bootstrap
  const shown = async (id: string, source: string) => {
    const answers = [await signed(source, id, 'guess')]
    await times(99, (n) => signed(source, `invented-${n}`, 'guess'))
    clock.advance(10_000)
    answers.push(...(await times(12, () => signed(source, id, 'guess'))))
    clock.advance(50_000)
    answers.push(...(await times(12, () => signed(source, id, 'guess'))))
    return answers.map(({ status, headers, body }) => [
      status,
      headers.get('retry-after'),
      body.error?.details.replace(/ \(request .*/, ''),
    ])
  }
  assert.deepEqual(await shown(accessKeyId, '192.0.2.1'), await shown('there-is-no-such-key', '192.0.2.2'))
})

/** Which sign-ins are blocked after ten failures under a name. */
test('a block does not reveal which users exist: every form of a name counts the same', async (t) => {
  const { server, clock } = await start(t)
  const { accountUuid } = server.bootstrap
  await server.admin.post('/v1/users', { params: { name: 'carol', password: 'password of carol', role: 'reader' } })
  const logIn = (source: string, structure: object, path = '/v1/accounts/users/login') =>
    server.anonymous.put(path, structure, { 'x-forwarded-for': source })
  const blockedAfter = async (source: string, userName: string) => {
    const named = (account: object) => logIn(source, { logInByUser: { ...account, userName, password: 'guess' } })
    await times(10, () => named({ accountName: 'admin' }))
    const responses = [
      await named({ accountUuid }),
      await named({ accountUuid, accountName: 'admin' }),
      await named({ accountUuid: 'f'.repeat(32) }),
      await named({ accountName: 'nobody' }),
      await logIn(source, { logInByAccount: { accountName: userName, password: 'guess' } }, '/v1/accounts/login'),
    ]
    return responses.map(({ status, headers }) => [status, headers.get('retry-after')])
  }
  const expected = await blockedAfter('192.0.2.1', 'carol')
  assert.deepEqual(
    expected.map(([status]) => status),
    [429, 429, 401, 401, 401],
  )
  assert.deepEqual(await blockedAfter('192.0.2.2', 'no-such-user'), expected)

  // nor does a key with the same name
  clock.advance(60_000)
  const ofKey = async (source: string, id: string, accountName: string) => {
    const client = new Client(server.url, { kind: 'key', id, secret: 'guess' }, clock)
    await times(10, () => client.get('/v1/tags', { 'x-forwarded-for': source }))
    return (await logIn(source, { logInByAccount: { accountName, password: 'guess' } }, '/v1/accounts/login')).status
  }
  assert.equal(await ofKey('192.0.2.3', 'ghost/ghost', 'ghost'), 401)
  assert.equal(await ofKey('192.0.2.4', accountUuid, 'admin'), 401)
})

test('wrong session ids block nobody', async (t) => {
  const { server, right } = await start(t)
  const guess = (n: number) => server.anonymous.get('/v1/tags', { authorization: `OAuth guess-${n}` })
  assert.deepEqual(statuses(await times(150, guess)), [401])
  assert.equal((await (await server.logIn('admin', right)).get('/v1/tags')).status, 200)
})

test('a right password clears the count of its name', async (t) => {
  const { right, logIn } = await start(t)
  for (let round = 0; round < 3; round++) {
    assert.deepEqual(statuses(await times(9, () => logIn('192.0.2.1', 'admin', 'guess'))), [401])
    assert.equal((await logIn('192.0.2.1', 'admin', right)).status, 200)
  }
})

test('all forms of the name of a user count together', async (t) => {
  const { server, logIn } = await start(t)
  await times(10, () => logIn('192.0.2.1', 'admin', 'guess'))
  const { accountUuid } = server.bootstrap
  for (const account of [{ accountName: 'admin' }, { accountUuid }, { accountName: 'admin', accountUuid }]) {
    const body = { logInByUser: { ...account, userName: 'admin', password: 'guess' } }
    isBlocked(await server.anonymous.put('/v1/accounts/users/login', body, { 'x-forwarded-for': '192.0.2.1' }))
  }
})

test('concurrent guesses are counted too', async (t) => {
  const { logIn } = await start(t)
  const answers = await Promise.all(Array.from({ length: 60 }, () => logIn('192.0.2.1', 'admin', 'guess')))
  const tried = answers.filter(({ status }) => status === 401).length
  assert.ok(tried <= 11, `${tried} guesses were tried`)
  assert.equal(answers.filter(({ status }) => status === 429).length, 60 - tried)
})

test('nobody gets around the limit by a forwarded address that no trusted proxy wrote', async (t) => {
  const server = await TestServer.start(t)
  const logIn = (n: number) =>
    server.anonymous.put(
      '/v1/accounts/login',
      { logInByAccount: { accountName: 'admin', password: 'guess' } },
      { 'x-forwarded-for': `10.0.0.${n}`, forwarded: `for=10.0.0.${n}` },
    )
  assert.deepEqual(statuses(await times(10, logIn)), [401])
  isBlocked(await logIn(11))
})

test('an unknown name costs the same as a wrong password, and a blocked attempt costs nothing', async (t) => {
  const { clock, logIn } = await start(t)
  await delay(100) // the server has compared the password in bootstrap.json by then
  const costs = watchScrypt(t)
  for (const password of ['guess', hash('sha512', 'guess', 'hex')]) {
    await logIn('192.0.2.1', 'admin', password)
    const ofKnown = costs.splice(0)
    await logIn('192.0.2.1', 'nobody', password)
    assert.deepEqual(costs.splice(0), ofKnown)
    assert.ok(ofKnown.length > 0)
  }
  clock.advance(60_000)
  await times(10, () => logIn('192.0.2.1', 'nobody', 'guess'))
  assert.equal(costs.splice(0).length, 10)
  isBlocked(await logIn('192.0.2.1', 'nobody', 'guess'))
  assert.deepEqual(costs, [])
})

test('guesses at the old password count as failed attempts', async (t) => {
  const server = await TestServer.start(t)
  const { accountUuid, credential } = await server.signIn('operator')
  const change = async (oldPassword: string) =>
    new Client(server.url, credential).put(`/v1/accounts/${accountUuid}/actions`, {
      updateAccount: { password: 'another password', oldPassword },
    })
  await times(10, async () => assertFailure(await change('guess'), { status: 403, code: 'ID.1002' }))
  isBlocked(await change('guess'))
  assert.equal((await new Client(server.url, credential).get('/v1/tags')).status, 200)
})

// other systems have 127.0.0.1 only
if (process.platform === 'linux') {
  test('the address that counts is the one of the connection', async (t) => {
    const server = await TestServer.start(t)
    const body = (password: string) => JSON.stringify({ logInByAccount: { accountName: 'admin', password } })
    const logIn = (localAddress: string, password: string): Promise<number | undefined> =>
      new Promise((resolve, reject) => {
        const headers = { 'content-type': 'application/json' }
        request(`${server.url}/v1/accounts/login`, { method: 'PUT', localAddress, headers }, (response) => {
          response.resume().on('end', () => resolve(response.statusCode))
        })
          .on('error', reject)
          .end(body(password))
      })
    await times(10, async () => assert.equal(await logIn('127.0.0.2', 'guess'), 401))
    assert.equal(await logIn('127.0.0.2', server.bootstrap.password), 429)
    assert.equal(await logIn('127.0.0.3', server.bootstrap.password), 200)
  })
}
