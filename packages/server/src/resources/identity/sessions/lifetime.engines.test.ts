import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { type Client, MovingClock, TestServer, trialOperations } from '@wharf/testkit'

const minute = 60_000
const hour = 60 * minute

async function signedIn(t: TestContext) {
  const clock = new MovingClock()
  const server = await TestServer.start(t, { clock, extend: trialOperations })
  const client = await server.logIn('admin', server.bootstrap.password)
  const { uuid } = client.credential as { uuid: string }
  return { clock, server, client, uuid }
}

async function isRefused(client: Client): Promise<void> {
  const answer = await client.get('/v1/tags')
  assert.equal(answer.status, 401)
  assert.equal(answer.body.error?.code, 'ID.1001')
  assert.match(answer.body.error?.details ?? '', /^the session is unknown or has ended; sign in again/)
}

const isServed = async (client: Client): Promise<void> => assert.equal((await client.get('/v1/tags')).status, 200)

test('a session that is not used ends after two hours', async (t) => {
  const { clock, client } = await signedIn(t)
  clock.advance(2 * hour)
  await isRefused(client)
})

test('every use gives a session two more hours, a day in all', async (t) => {
  const { clock, client } = await signedIn(t)
  for (let uses = 0; uses < 12; uses++) {
    clock.advance(2 * hour - minute)
    await isServed(client)
  }
  clock.advance(12 * minute - 1)
  await isServed(client)
  clock.advance(1)
  await isRefused(client)
})

test('a use is not lost when another user changes', async (t) => {
  const { clock, client, server } = await signedIn(t)
  clock.advance(2 * hour - minute)
  await isServed(client)
  await server.signIn('reader').then(({ accountUuid }) => server.admin.delete(`/v1/accounts/${accountUuid}`))
  clock.advance(2 * hour - minute)
  await isServed(client)
})

test('a use is not lost when the server restarts', async (t) => {
  const clock = new MovingClock()
  const server = await TestServer.start(t, { clock })
  const client = await server.logIn('admin', server.bootstrap.password)
  clock.advance(hour)
  await isServed(client)
  await server.app.close()
  const restarted = await TestServer.open(server.environment, { clock })
  t.after(() => restarted.app.close())
  clock.advance(2 * hour - 1)
  const { uuid } = client.credential as { uuid: string }
  const answer = await restarted.anonymous.get('/v1/tags', { authorization: `OAuth ${uuid}` })
  assert.equal(answer.status, 200)
})

test('following a job extends no session', async (t) => {
  const { clock, client } = await signedIn(t)
  const script = JSON.stringify({ trace: '/dev/null' })
  const accepted = await client.post('/v1/demo-jobs', { params: { script } }, { prefer: 'respond-async' })
  const job = new URL(String(accepted.body.location)).pathname.replace(/^.*\/v1/, '/v1')
  clock.advance(2 * hour - minute)
  assert.ok([200, 202].includes((await client.get(job)).status))
  assert.equal((await client.get(`${job}/log`)).status, 200)
  clock.advance(minute)
  await isRefused(client)
})

test('checking whether a session is valid does not extend it', async (t) => {
  const { clock, client, server, uuid } = await signedIn(t)
  clock.advance(2 * hour - minute)
  const valid = async () => (await server.anonymous.get(`/v1/accounts/sessions/${uuid}/valid`)).body.valid
  assert.equal(await valid(), true)
  clock.advance(minute)
  assert.equal(await valid(), false)
  await isRefused(client)
})

test('scheme and spaces of the session header may vary', async (t) => {
  const { server, uuid } = await signedIn(t)
  for (const authorization of [`OAuth ${uuid}`, `oauth ${uuid}`, `OAUTH   ${uuid}`])
    assert.equal((await server.anonymous.get('/v1/tags', { authorization })).status, 200, authorization)
})
