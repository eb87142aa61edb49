import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import { defineGlobal, fakeWindow, MemoryStorage } from '../browser/testing/fake-browser.ts'

const stored = { uuid: 's1', userUuid: 'u1', userName: 'admin' }

const window = fakeWindow('https://wharf.example/tools/wharf/#/hosts')
const storage = new MemoryStorage()
defineGlobal('localStorage', storage)
storage.setItem('wharf.session', JSON.stringify(stored))

const requests: { url: string; method: string; body: string }[] = []
let answer: () => Response = () => Response.json({})
defineGlobal('fetch', async (input: URL | string | Request, init?: RequestInit) => {
  const request = new Request(input, init)
  requests.push({ url: request.url, method: request.method, body: await request.text() })
  return answer()
})

const { serverUrl, signIn, signOut } = await import('./session.ts')

const read = (): unknown => JSON.parse(storage.getItem('wharf.session') ?? 'null')

beforeEach(() => {
  requests.length = 0
  answer = () => Response.json({})
})

test('the API has the prefix of the console', () => {
  assert.equal(serverUrl, 'https://wharf.example/tools/wharf/')
})

test('signing out removes the session and logs out on the server', async () => {
  signOut()
  assert.equal(read(), null)
  await new Promise((resolve) => setImmediate(resolve))
  assert.equal(requests.length, 1)
  assert.equal(requests[0]?.method, 'DELETE')
  assert.ok(requests[0]?.url.endsWith('/v1/accounts/sessions/s1'), requests[0]?.url)
})

test('signing out without a session calls nothing', async () => {
  signOut()
  await new Promise((resolve) => setImmediate(resolve))
  assert.deepEqual(requests, [])
})

test('signing in stores the session for all tabs', async () => {
  answer = () => Response.json({ inventory: { uuid: 's2', userUuid: 'u2' } })
  await signIn('developers', 'secret')
  assert.deepEqual(read(), { uuid: 's2', userUuid: 'u2', userName: 'developers' })
  assert.ok(requests[0]?.body.includes('developers'))
  assert.ok(!JSON.stringify(read()).includes('secret'), 'the password is not stored')
})

test('a session that the server ended is removed without a call', async () => {
  signOut({ isOver: true })
  assert.equal(read(), null)
  await new Promise((resolve) => setImmediate(resolve))
  assert.deepEqual(requests, [])
})

test('signing in as a user of an account names the user', async () => {
  answer = () => Response.json({ inventory: { uuid: 's3', userUuid: 'u3' } })
  await signIn('developers', 'secret', 'anna')
  assert.deepEqual(read(), { uuid: 's3', userUuid: 'u3', userName: 'anna' })
  assert.ok(requests[0]?.body.includes('anna'))
})

test('a rejected sign-in stores nothing', async () => {
  signOut({ isOver: true })
  answer = () =>
    Response.json({ error: { code: 'ID.1000', description: 'wrong', details: 'wrong password' } }, { status: 401 })
  await assert.rejects(signIn('developers', 'wrong'))
  assert.equal(read(), null)
})

test('a sign-out in another tab signs out here', async () => {
  answer = () => Response.json({ inventory: { uuid: 's4', userUuid: 'u4' } })
  await signIn('developers', 'secret')
  requests.length = 0
  storage.removeItem('wharf.session')
  window.events.dispatchEvent(Object.assign(new Event('storage'), { key: 'wharf.session' }))
  signOut()
  await new Promise((resolve) => setImmediate(resolve))
  assert.deepEqual(requests, [], 'no session is left to log out')
})
