import assert from 'node:assert/strict'
import crypto from 'node:crypto'
import { once } from 'node:events'
import { request } from 'node:http'
import { syncBuiltinESMExports } from 'node:module'
import { type TestContext, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { assertFailure, TestServer } from '@wharf/testkit'

/** Hashes wait until they are released, one after the other. */
function holdHashes(t: TestContext) {
  const { scrypt } = crypto
  const held: (() => void)[] = []
  let isOpen = false
  let count = 0
  t.mock.method(crypto, 'scrypt', (...given: Parameters<typeof scrypt>) => {
    count++
    const run = () => scrypt(...given)
    if (isOpen) run()
    else held.push(run)
  })
  syncBuiltinESMExports()
  t.after(() => {
    t.mock.restoreAll()
    syncBuiltinESMExports()
  })
  const letGo = (): void => {
    isOpen = true
    for (const run of held.splice(0)) run()
  }
  return { letGo, count: () => count, held: () => held.length }
}

async function start(t: TestContext) {
  const server = await TestServer.start(t, { environment: { WHARF_TRUSTED_PROXIES: '127.0.0.1/32' } })
  await delay(100) // the server has compared the password in bootstrap.json by then
  const hashes = holdHashes(t)
  const open = (source: string, accountName: string, password: string) => {
    const headers = { 'content-type': 'application/json', 'x-forwarded-for': source, expect: '100-continue' }
    const sent = request(`${server.url}/v1/accounts/login`, { method: 'PUT', headers, agent: false })
    const answered = new Promise<number>((resolve, reject) => {
      sent.on('error', reject).on('response', (response) => {
        response.resume().on('end', () => resolve(response.statusCode ?? 0))
      })
    })
    answered.catch(() => {})
    sent.end(JSON.stringify({ logInByAccount: { accountName, password } }))
    return { sent, answered }
  }
  const until = async (isSo: () => boolean) => {
    for (let n = 0; n < 500 && !isSo(); n++) await delay(5)
    assert.ok(isSo())
  }
  return { server, hashes, open, until }
}

test('one source fills its own share of the queue; another signs in before it, and one too many gets 503', async (t) => {
  const { server, hashes, open, until } = await start(t)
  // the forwarded addresses of one /64 are one source
  const flood = Array.from({ length: 130 }, (_, n) => open(`2001:db8::${n.toString(16)}`, `nobody ${n}`, 'guess'))
  const order: string[] = []
  const ended = Promise.all(
    flood.map(async ({ answered }) => {
      const status = await answered
      if (status !== 503) order.push('flood')
      return status
    }),
  )
  await until(() => hashes.held() === 2)
  const beyond = await server.anonymous.put(
    '/v1/accounts/login',
    { logInByAccount: { accountName: 'admin', password: 'guess' } },
    { 'x-forwarded-for': '2001:db8::ffff' },
  )
  assertFailure(beyond, { status: 503, code: 'SYS.1010', details: 'too many sign-ins at once; try again shortly' })
  assert.equal(beyond.headers.get('retry-after'), '5')
  const other = open('192.0.2.1', 'admin', server.bootstrap.password)
  await delay(50)
  hashes.letGo()
  assert.equal(await other.answered, 200)
  assert.ok(order.length < 50, `${order.length} of the flood went before`)
  const statuses = await ended
  assert.equal(statuses.filter((status) => status === 503).length, 130 - 102)
})

test('no password is checked for a caller that has closed its connection', async (t) => {
  const { server, hashes, open, until } = await start(t)
  const gone = Array.from({ length: 40 }, (_, n) => open('192.0.2.1', `nobody ${n}`, 'guess'))
  // the server has accepted each call when it requests the body
  await Promise.all(gone.map(({ sent }) => once(sent, 'continue')))
  await until(() => hashes.held() === 2)
  for (const { sent } of gone) sent.destroy()
  await until(() => server.logText.split('"hungUp":true').length === 41)
  hashes.letGo()
  assert.equal(await open('192.0.2.1', 'admin', server.bootstrap.password).answered, 200)
  assert.ok(hashes.count() <= 4, `${hashes.count()} hashes`)
})
