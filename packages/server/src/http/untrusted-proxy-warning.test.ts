import assert from 'node:assert/strict'
import { test } from 'node:test'
import { MovingClock, TestServer } from '@wharf/testkit'

const warnings = ({ logText }: TestServer): string[] =>
  logText.split('\n').filter((line) => line.includes('"level":"warn"') && line.includes('WHARF_TRUSTED_PROXIES'))

test('a forwarded address from an untrusted peer logs a warning once an hour, with the peer and the setting', async (t) => {
  const clock = new MovingClock()
  const server = await TestServer.start(t, { clock })
  const call = (address: string) => server.anonymous.get('/healthz', { 'x-forwarded-for': address })
  await server.anonymous.get('/healthz')
  assert.deepEqual(warnings(server), [])
  for (let n = 0; n < 20; n++) await call(`10.0.0.${n}`)
  await server.anonymous.get('/v1/nothing', { 'x-forwarded-for': '10.0.0.1' })
  const [line = '', ...more] = warnings(server)
  assert.deepEqual(more, [])
  assert.match(line, /"peer":"127\.0\.0\.1".*X-Forwarded-For from 127\.0\.0\.1 is ignored/)
  clock.advance(3_600_000)
  await call('10.0.0.1')
  assert.equal(warnings(server).length, 2)
})

test('one from a trusted proxy logs none', async (t) => {
  const server = await TestServer.start(t, { environment: { WHARF_TRUSTED_PROXIES: '127.0.0.0/8' } })
  for (const address of ['10.0.0.1', '10.0.0.1, 127.0.0.5', '127.0.0.9', ' '])
    await server.anonymous.get('/healthz', { 'x-forwarded-for': address })
  assert.deepEqual(warnings(server), [])
})

test('one from a proxy that is not in the list logs a warning', async (t) => {
  const server = await TestServer.start(t, { environment: { WHARF_TRUSTED_PROXIES: '10.0.0.1' } })
  await server.anonymous.get('/healthz', { 'x-forwarded-for': '10.0.0.2' })
  assert.equal(warnings(server).length, 1)
})
