import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { rawCall, TestServer, trialOperations } from '@wharf/testkit'

const folder = mkdtempSync(join(tmpdir(), 'wharf-address-'))
after(() => rmSync(folder, { recursive: true }))

const start = (environment: Record<string, string> = {}) =>
  TestServer.start({ after }, { extend: trialOperations, environment })
const bare = await start()
const known = await start({ WHARF_PUBLIC_URL: 'https://wharf.example.com/here' })
const behind = await start({ WHARF_TRUSTED_PROXIES: '10.0.0.0/8, 127.0.0.1' })
const elsewhere = await start({ WHARF_TRUSTED_PROXIES: '10.0.0.0/8' })

const body = JSON.stringify({ params: { script: JSON.stringify({ trace: join(folder, 'trace') }) } })

/** The location of an asynchronous call, without the job. */
async function location(
  server: TestServer,
  prefix: string,
  headers: Record<string, string | undefined>,
): Promise<string> {
  const path = '/v1/demo-jobs'
  const answer = await rawCall(new URL(server.url).origin, {
    method: 'POST',
    path: prefix + path,
    body,
    headers: {
      ...server.admin.authorization('POST', path),
      'content-type': 'application/json',
      prefer: 'respond-async',
      ...headers,
    },
  })
  assert.equal(answer.status, 202, answer.text)
  assert.equal(answer.headers.get('location'), answer.body.location)
  return String(answer.body.location).replace(/\/v1\/api-jobs\/[0-9a-f]{32}\?token=[\w-]{43}$/, '')
}

const own = (server: TestServer): string => new URL(server.url).origin

const rows: { name: string; to: TestServer; prefix?: string; headers?: Record<string, string>; gives: string }[] = [
  { name: 'the Host of the request', to: bare, gives: own(bare) },
  { name: 'the prefix that was used', to: bare, prefix: '/wharf', gives: `${own(bare)}/wharf` },
  { name: 'a name', to: bare, headers: { host: 'wharf.internal' }, gives: 'http://wharf.internal' },
  { name: 'a name and a port', to: bare, headers: { host: 'Wharf_1.local.:81' }, gives: 'http://Wharf_1.local.:81' },
  { name: 'an IPv6 address', to: bare, headers: { host: '[::1]:81' }, gives: 'http://[::1]:81' },
  { name: 'the Host before the public address', to: known, prefix: '/wharf', gives: `${own(known)}/wharf` },
  ...['a b', 'a/b', 'user@host', 'a:b', 'a:1:2', '[::1', 'a"b', '', 'a:999999', 'x'.repeat(300)].flatMap((host) => [
    {
      name: `the public address when the Host is ${JSON.stringify(host.slice(0, 12))}`,
      to: known,
      headers: { host },
      gives: 'https://wharf.example.com/here',
    },
    {
      name: `the address it was reached at when there is no other and the Host is ${JSON.stringify(host.slice(0, 12))}`,
      to: bare,
      prefix: '/wharf',
      headers: { host },
      gives: `${own(bare)}/wharf`,
    },
  ]),
  {
    name: 'what a trusted proxy forwards',
    to: behind,
    prefix: '/wharf',
    headers: {
      'x-forwarded-host': 'cloud.example.com',
      'x-forwarded-proto': 'https',
      'x-forwarded-for': '203.0.113.5',
    },
    gives: 'https://cloud.example.com/wharf',
  },
  ...[bare, elsewhere].map((to) => ({
    name: 'nothing that others forward',
    to,
    headers: { 'x-forwarded-host': 'evil.example.com', 'x-forwarded-proto': 'https' },
    gives: own(to),
  })),
]

for (const { name, to, prefix = '', headers = {}, gives } of rows)
  test(`a location is built from ${name}`, async () => {
    assert.equal(await location(to, prefix, headers), gives)
  })

test('the source of a call is the caller behind a trusted proxy, and the proxy when it is not trusted', async () => {
  const source = async (server: TestServer): Promise<string> => {
    const { headers } = await server.anonymous.get('/healthz', { 'x-forwarded-for': '203.0.113.7, 10.1.2.3' })
    const id = headers.get('x-request-id') ?? '?'
    const line = () => server.logText.split('\n').find((text) => text.includes(id))
    for (let attempt = 0; attempt < 100 && line() === undefined; attempt++) await delay(10)
    return JSON.parse(line() ?? '{}').source
  }
  assert.equal(await source(behind), '203.0.113.7')
  assert.equal(await source(elsewhere), '127.0.0.1')
  assert.equal(await source(bare), '127.0.0.1')
})
