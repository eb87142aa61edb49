import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { type Client, rawCall, TestServer } from '@wharf/testkit'

const server = await TestServer.start({ after }, { environment: { WHARF_LOG_LEVEL: 'trace' } })
const logIn = () => server.logIn('admin', server.bootstrap.password)
const idOf = (client: Client): string => (client.credential as { uuid: string }).uuid
const path = (id: string): string => `/v1/accounts/sessions/${id}`

test('logging out needs only the session id and takes effect immediately', async () => {
  const client = await logIn()
  const answer = await server.anonymous.delete(path(idOf(client)))
  assert.equal(answer.status, 200)
  assert.deepEqual(answer.body, { success: true, error: null })
  assert.equal((await client.get('/v1/tags')).status, 401)
  assert.equal((await server.anonymous.get(`${path(idOf(client))}/valid`)).body.valid, false)
})

test('logging out ends this session only', async () => {
  const [one, two] = [await logIn(), await logIn()]
  await server.anonymous.delete(path(idOf(one)))
  assert.equal((await two.get('/v1/tags')).status, 200)
})

const ids = {
  'an unknown id': 'f'.repeat(32),
  'a word': 'x',
  capitals: 'F'.repeat(32),
  'an escaped blank': 'a%20b',
  'another script': '%E4%BD%A0',
  'a quote': "'%22",
  'a thousand letters': 'x'.repeat(1000),
}
for (const [name, id] of Object.entries(ids)) {
  test(`logout and validity return 200 for ${name}`, async () => {
    const ended = await server.anonymous.delete(path(id))
    assert.deepEqual([ended.status, ended.body], [200, { success: true, error: null }])
    const valid = await server.anonymous.get(`${path(id)}/valid`)
    assert.deepEqual([valid.status, valid.body], [200, { valid: false, success: true, error: null }])
  })
}

test('logging out twice is not a failure, and another credential in the call is ignored', async () => {
  const id = idOf(await logIn())
  for (const authorization of ['OAuth nonsense', 'Service no-such-key:x', 'Basic xyz', ''])
    assert.equal((await server.anonymous.delete(path(id), undefined, { authorization })).status, 200, authorization)
})

test('no log line and no error text shows a session id, however its path is written', async () => {
  const id = idOf(await logIn())
  const at = new URL(server.url)
  const paths = [
    `${path(id)}/valid`,
    `/wharf${path(id)}/valid`,
    `/v1/accounts/s%65ssions/${id}/valid`,
    `/v1/accounts/sessions/${id}/nothing`,
    `/v1/sessions/${id}`,
    `/v1/accounts/sessions//${id}`,
    `/v1/accounts/sessions//${id}/valid`,
    `/v1//accounts/sessions/${id}`,
    `//v1/accounts/sessions/${id}/`,
    `${path(id)}/`,
    `/v1/accounts/Sessions/${id}`,
    `/v1/accounts/session/${id}`,
    `/v1/accounts/sessions/x/${id}`,
    `/v1/accounts/sessions%2f${id}`,
    `/v1/accounts/sessions%2F${id}/valid`,
    `/v1/accounts/sessions\\${id}`,
    `/v1/accounts/sessions/./${id}`,
    `/v1/accounts/./sessions/${id}`,
    `/v1/accounts/sessions;x=${id}`,
    `/v1/accounts/sessions,${id}`,
    `/v1/accounts/sessions/%zz/${id}`,
    `/v1/%2573essions/${id}`,
    `/other/v1/accounts/sessions/${id}`,
    `/wharf/wharf${path(id)}`,
    `/${id}`,
    `/x${id}x`,
    `*${id}`,
    `http://user:${id}@${at.host}/v1/tags`,
    `${path(id)}/valid?also=${id}`,
    `/v1/tags?token=${id}`,
    path(id),
  ]
  for (const method of ['GET', 'DELETE', 'POST', 'PATCH'])
    for (const target of paths) {
      const answer = await rawCall(server.url, { method, path: target, headers: { authorization: `OAuth ${id}` } })
      assert.ok(!answer.text.includes(id), `${method} ${target}: ${answer.text}`)
    }
  for (const target of [`/v1/hosts/${id}`, `/v1/tags/${id.toUpperCase()}`, `/v1/uploads/${id}?signature=${id}`])
    await rawCall(server.url, { path: target, headers: { authorization: `OAuth ${id}` } })
  assert.match(server.logText, /"path":"\/v1\/accounts\/sessions\/\[session\]\/valid"/)
  assert.ok(!server.logText.toLowerCase().includes(id))
})
