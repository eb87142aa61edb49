import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { openapi, operations } from '@wharf/contract'
import { assertFailure, DatabaseProxy, reverseCleanup, serverEnvironment, TestServer, testEngine } from '@wharf/testkit'

const server = await TestServer.start({ after })
const originOf = (of: TestServer): string => new URL(of.url).origin
const origin = originOf(server)
/** Without following redirects. */
const call = (url: string, method = 'GET') => fetch(url, { method, redirect: 'manual' })

test('the probes respond without a credential, with and without the prefix, to GET and HEAD', async () => {
  for (const address of [server.url, origin])
    for (const [path, body] of [
      ['/healthz', '{"status":"up"}'],
      ['/readyz', '{"status":"ready"}'],
    ] as const) {
      const answer = await call(address + path)
      assert.deepEqual([answer.status, await answer.text()], [200, body], path)
      assert.equal(answer.headers.get('content-type'), 'application/json;charset=UTF-8')
      assert.equal(answer.headers.get('cache-control'), 'no-store')
      assert.match(answer.headers.get('x-request-id') ?? '', /^[0-9a-f]{32}$/)
      const head = await call(address + path, 'HEAD')
      assert.deepEqual([head.status, await head.text()], [200, ''], `HEAD ${path}`)
    }
})

test('routes outside /v1 are read-only', async () => {
  for (const path of ['', '/', '/healthz', '/readyz', '/metrics', '/openapi.json', '/docs', '/docs/']) {
    const answer = await server.anonymous.post(path)
    assertFailure(answer, { status: 405, code: 'SYS.1007' })
    assert.equal(answer.headers.get('allow'), 'GET, HEAD', path)
  }
})

test('the OpenAPI document is the one of the contract, with what this server serves', async () => {
  const routes = new Set(
    operations.filter(({ path, method }) =>
      server.app.http.hasRoute({ url: path.replaceAll(/\{(\w+)\}/g, ':$1'), method }),
    ),
  )
  assert.ok(routes.size > 20, String(routes.size))
  const expected = openapi({ served: (operation) => routes.has(operation), serverUrl: '/wharf' })
  const answer = await server.anonymous.get('/openapi.json')
  assert.equal(answer.status, 200)
  assert.deepEqual(answer.body, JSON.parse(JSON.stringify(expected)))
})

test('the root redirects to the API reference, under every prefix', async () => {
  for (const [address, expected] of [
    [`${origin}/`, '/docs'],
    [`${origin}/?a=b`, '/docs'],
    [`${origin}/wharf`, '/wharf/docs'],
    [`${origin}/wharf/`, '/wharf/docs'],
    [`${origin}/wharf?a=b`, '/wharf/docs'],
  ] as const) {
    const answer = await call(address)
    assert.equal(answer.status, 302, address)
    const target = new URL(answer.headers.get('location') ?? '', address)
    assert.equal(target.href, origin + expected, address)
    const page = await call(target.href)
    assert.equal(page.status, 200)
    assert.match(page.headers.get('content-type') ?? '', /^text\/html/)
  }
})

test('a prefix of several parts, or none, redirects too', async (t) => {
  for (const [basePath, path, expected] of [
    ['/a/b', '/a/b', '/a/b/docs'],
    ['/', '/', '/docs'],
  ] as const) {
    const prefixed = await TestServer.start(t, { environment: { WHARF_BASE_PATH: basePath } })
    const answer = await call(originOf(prefixed) + path)
    assert.equal(new URL(answer.headers.get('location') ?? '', originOf(prefixed) + path).pathname, expected)
  }
})

test('a server whose jobs do not run is not ready', async (t) => {
  const stopped = await TestServer.start(t)
  await stopped.app.foundation.jobs.runner.stop()
  const answer = await stopped.anonymous.get('/readyz')
  assertFailure(answer, { status: 503, code: 'SYS.1010' })
  assert.equal(answer.headers.get('retry-after'), '1')
  assert.equal((await stopped.anonymous.get('/healthz')).status, 200)
})

/** A server whose connection to the database can be closed. */
async function behindGate(t: { after(work: () => Promise<void>): void }) {
  const cleanup = reverseCleanup(t)
  const environment = await serverEnvironment(cleanup)
  const gate = await DatabaseProxy.to(environment.WHARF_DATABASE_URL ?? '', cleanup)
  const server = await TestServer.open({ ...environment, WHARF_DATABASE_URL: gate.url })
  cleanup.after(async () => {
    // a server does not wait for connections that are broken, but for ones that are silent
    await gate.close()
    await server.app.close()
  })
  return { server, gate }
}

if (testEngine === 'postgres') {
  test('without its database a server is up and not ready, and recovers automatically', async (t) => {
    const { server, gate } = await behindGate(t)
    const probe = async (path: string) => (await server.anonymous.get(path)).status
    assert.equal(await probe('/readyz'), 200)

    await gate.close()
    const answer = await server.anonymous.get('/readyz')
    assertFailure(answer, { status: 503, code: 'SYS.1010' })
    assert.equal(answer.headers.get('retry-after'), '2')
    assertFailure(await server.admin.get('/v1/hosts'), { status: 503, code: 'SYS.1010' })
    assert.deepEqual([await probe('/healthz'), await probe('/metrics'), await probe('/openapi.json')], [200, 200, 200])

    await gate.open()
    assert.equal(await probe('/readyz'), 200)
    assert.equal((await server.admin.get('/v1/hosts')).status, 200)
  })

  test('a database that does not respond makes the server not ready, and the probe does not wait for it', async (t) => {
    const { server, gate } = await behindGate(t)
    gate.freeze()
    const answer = await Promise.race([server.anonymous.get('/readyz'), delay(20_000, undefined, { ref: false })])
    assert.ok(answer, 'no answer in 20 s')
    assertFailure(answer, { status: 503, code: 'SYS.1010', details: 'the database has not answered for 2 s' })
  })
}
