import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertFailure, demoOperations, TestServer } from '@wharf/testkit'

/** name{labels} value */
const sample = (text: string, start: string): string | undefined =>
  text.split('\n').find((line) => line.startsWith(start))

test('they are Prometheus text, and tell of calls, jobs, streams and the process', async (t) => {
  const server = await TestServer.start(t, { extend: demoOperations })
  await server.admin.get('/v1/hosts')
  await server.anonymous.get('/v1/hosts')
  const answer = await server.anonymous.get('/metrics')
  assert.equal(answer.status, 200)
  assert.match(answer.headers.get('content-type') ?? '', /^text\/plain; version=0\.0\.4/)
  const lines = answer.text
  assert.equal(sample(lines, 'wharf_request_seconds_count{operation="QueryHost",status="200"}')?.split(' ')[1], '1')
  assert.equal(sample(lines, 'wharf_request_seconds_count{operation="QueryHost",status="401"}')?.split(' ')[1], '1')
  assert.equal(sample(lines, 'wharf_jobs_running_here'), 'wharf_jobs_running_here 0')
  assert.equal(sample(lines, 'wharf_streams_open'), 'wharf_streams_open 0')
  assert.ok(sample(lines, 'process_resident_memory_bytes'))
  assert.equal((await fetch(`${new URL(server.url).origin}/metrics`, { method: 'HEAD' })).status, 200)
})

test('what nobody declared adds no series', async (t) => {
  const server = await TestServer.start(t)
  for (let n = 0; n < 20; n++) await server.anonymous.get(`/v1/no-such-thing-${n}?token=${n}`)
  const { text } = await server.anonymous.get('/metrics')
  assert.ok(!text.includes('no-such-thing'))
  assert.equal(sample(text, 'wharf_request_seconds_count{operation="none",status="404"}')?.split(' ')[1], '20')
})

const token = 'a-token-that-is-long-enough'

test('with a token set, nobody reads them without it', async (t) => {
  const server = await TestServer.start(t, { environment: { WHARF_METRICS_TOKEN: token } })
  const refused = [
    undefined,
    '',
    'Bearer',
    'Bearer ',
    `Bearer ${token}x`,
    `Bearer ${token.slice(0, -1)}`,
    `Bearer ${token.toUpperCase()}`,
    `Basic ${token}`,
    token,
    server.admin.authorization('GET', '/metrics').authorization,
  ]
  for (const authorization of refused) {
    const answer = await server.anonymous.get('/metrics', authorization === undefined ? {} : { authorization })
    assertFailure(answer, { status: 401, code: 'ID.1000' })
    assert.equal(answer.headers.get('www-authenticate'), 'Bearer realm="wharf"')
    assert.ok(!answer.text.includes(token))
  }
  const answer = await server.anonymous.get('/metrics', { authorization: `Bearer ${token}` })
  assert.equal(answer.status, 200)
  assert.ok(!server.logText.includes(token))
  assert.ok(!answer.text.includes(token))
  assert.equal((await server.anonymous.get('/readyz')).status, 200)
})
