import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import { defineGlobal, fakeWindow, MemoryStorage } from '../browser/testing/fake-browser.ts'

const stored = { uuid: 's1', userUuid: 'u1', userName: 'admin' }

const window = fakeWindow('https://wharf.example/tools/wharf/#/hosts')
const storage = new MemoryStorage()
defineGlobal('localStorage', storage)
defineGlobal('sessionStorage', new MemoryStorage())
storage.setItem('wharf.session', JSON.stringify(stored))

const requests: { url: string; method: string; body: string }[] = []
let answer: () => Response = () => Response.json({})
defineGlobal('fetch', async (input: URL | string | Request, init?: RequestInit) => {
  const request = new Request(input, init)
  requests.push({ url: request.url, method: request.method, body: await request.text() })
  return answer()
})

// an instance of its own: other tests of the process have loaded the module in another window
const fresh: string = './session.ts?session.test'
const { chooseAnotherUser, requireSession, serverUrl, signIn, signInAgain, signOut } = (await import(
  fresh
)) as typeof import('./session.ts')

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
  await signIn({ accountName: 'developers', password: 'secret' })
  assert.deepEqual(read(), {
    uuid: 's2',
    userUuid: 'u2',
    userName: 'developers',
    login: { accountName: 'developers' },
  })
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
  await signIn({ accountName: 'developers', userName: 'anna', password: 'secret' })
  assert.deepEqual(read(), {
    uuid: 's3',
    userUuid: 'u3',
    userName: 'anna',
    login: { accountName: 'developers', userName: 'anna' },
  })
  assert.ok(requests[0]?.body.includes('anna'))
})

test('a rejected sign-in stores nothing', async () => {
  signOut({ isOver: true })
  answer = () =>
    Response.json({ error: { code: 'ID.1000', description: 'wrong', details: 'wrong password' } }, { status: 401 })
  await assert.rejects(signIn({ accountName: 'developers', password: 'wrong' }))
  assert.equal(read(), null)
})

test('a sign-out in another tab signs out here', async () => {
  answer = () => Response.json({ inventory: { uuid: 's4', userUuid: 'u4' } })
  await signIn({ accountName: 'developers', password: 'secret' })
  requests.length = 0
  storage.removeItem('wharf.session')
  window.events.dispatchEvent(Object.assign(new Event('storage'), { key: 'wharf.session' }))
  signOut()
  await new Promise((resolve) => setImmediate(resolve))
  assert.deepEqual(requests, [], 'no session is left to log out')
})

for (const [end, kept] of [
  [() => signOut(), null],
  [() => chooseAnotherUser(), null],
  [() => signOut({ isOver: true }), '[]'],
  [() => signInAs('u9', 's9'), null],
] as const)
  test(`${end} ${kept === null ? 'removes' : 'keeps'} what the user did`, async () => {
    await signInAs('u1', 's1')
    storage.setItem('wharf.recent.u1', '[]')
    await end()
    assert.equal(storage.getItem('wharf.recent.u1'), kept)
  })

async function signInAs(userUuid: string, uuid: string): Promise<void> {
  answer = () => Response.json({ inventory: { uuid, userUuid } })
  await signIn({ accountName: 'developers', userName: 'anna', password: 'secret' })
  requests.length = 0
}

test('calls use the current session', async () => {
  await signInAs('u1', 's1')
  assert.equal(await requireSession('u1'), 's1')
  assert.equal(await requireSession('u1', 'an older one'), 's1')
})

test('calls of an ended session wait until the same user has signed in again', async () => {
  await signInAs('u1', 's1')
  const calls = [requireSession('u1', 's1'), requireSession('u1', 's1')]
  answer = () => Response.json({ error: { code: 'ID.1000', description: 'wrong' } }, { status: 401 })
  await assert.rejects(signInAgain('wrong'))
  answer = () => Response.json({ inventory: { uuid: 's2', userUuid: 'u1' } })
  await signInAgain('secret')
  assert.deepEqual(await Promise.all(calls), ['s2', 's2'])
  assert.ok(requests.every(({ body }) => body.includes('developers') && body.includes('anna')))
})

test('a sign-in in another tab continues the calls here', async () => {
  await signInAs('u1', 's1')
  const call = requireSession('u1', 's1')
  storage.setItem('wharf.session', JSON.stringify({ uuid: 's9', userUuid: 'u1', userName: 'anna' }))
  window.events.dispatchEvent(Object.assign(new Event('storage'), { key: 'wharf.session' }))
  assert.equal(await call, 's9')
})

test('calls of a user are never sent in the session of another user', async () => {
  await signInAs('u1', 's1')
  const call = requireSession('u1', 's1')
  answer = () => Response.json({ inventory: { uuid: 's5', userUuid: 'u2' } })
  await signIn({ accountName: 'others', password: 'secret' })
  await assert.rejects(call, /session has ended/)
  await assert.rejects(requireSession('u1'), /session has ended/)
  assert.equal(await requireSession('u2'), 's5')
})

test('signing out ends the calls that wait', async () => {
  await signInAs('u1', 's1')
  const call = requireSession('u1', 's1')
  signOut({ isOver: true })
  await assert.rejects(call, /session has ended/)
})

test('a session of an older version, without names, cannot be renewed over the page', async () => {
  storage.setItem('wharf.session', JSON.stringify(stored))
  window.events.dispatchEvent(Object.assign(new Event('storage'), { key: 'wharf.session' }))
  await assert.rejects(requireSession('u1', 's1'), /session has ended/)
  assert.equal(read(), null)
})
