import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { assertFailure, TestServer } from '@wharf/testkit'

const folder = mkdtempSync(join(tmpdir(), 'wharf-console-'))
after(() => rmSync(folder, { recursive: true }))
mkdirSync(join(folder, 'assets'))
writeFileSync(
  join(folder, 'index.html'),
  '<meta name="wharf-timezone" content="" /><style>a{}</style><script src="./assets/a-1.js"></script>',
)
writeFileSync(join(folder, 'assets/a-1.js'), 'console.log(1)')
writeFileSync(join(folder, 'icon.svg'), '<svg xmlns="http://www.w3.org/2000/svg"/>')

const options = { consoleFolder: folder, environment: { WHARF_TIMEZONE: 'Asia/Shanghai' } }
const server = await TestServer.start({ after }, options)
const { origin } = new URL(server.url)
const get = (path: string, headers: Record<string, string> = {}) =>
  fetch(origin + path, { headers, redirect: 'manual' })

test('the page is at the root and behind the prefix, with the time zone, and revalidated each time', async () => {
  for (const path of ['/', '/wharf/', '/?a=b']) {
    const answer = await get(path)
    assert.equal(answer.status, 200, path)
    assert.match(await answer.text(), /name="wharf-timezone" content="Asia\/Shanghai"/)
    assert.equal(answer.headers.get('cache-control'), 'no-cache')
    const policy = answer.headers.get('content-security-policy') ?? ''
    assert.match(policy, /default-src 'none'; script-src 'self';/)
    const hash = createHash('sha256').update('a{}').digest('base64')
    assert.ok(policy.includes(`style-src 'self' 'sha256-${hash}';`), policy)
    assert.doesNotMatch(policy, /unsafe|http|\*/)
    const again = await get(path, { 'if-none-match': answer.headers.get('etag') ?? '' })
    assert.equal(again.status, 304)
  }
})

test('without the slash that relative addresses need, it redirects', async () => {
  const answer = await get('/wharf?a=b')
  assert.equal(answer.status, 302)
  assert.equal(new URL(answer.headers.get('location') ?? '', `${origin}/wharf`).pathname, '/wharf/')
})

test('files named by their content are cached for a year, others are revalidated', async () => {
  for (const [path, cache, type] of [
    ['/assets/a-1.js', 'public, max-age=31536000, immutable', 'text/javascript; charset=utf-8'],
    ['/wharf/assets/a-1.js', 'public, max-age=31536000, immutable', 'text/javascript; charset=utf-8'],
    ['/icon.svg', 'no-cache', 'image/svg+xml'],
  ] as const) {
    const { status, headers } = await get(path)
    const response = [
      status,
      headers.get('cache-control'),
      headers.get('content-type'),
      headers.get('x-content-type-options'),
    ]
    assert.deepEqual(response, [200, cache, type, 'nosniff'], path)
  }
})

test('no other file of the disk is served', async () => {
  for (const path of ['/assets/b-2.js', '/assets/', '/assets/..%2findex.html', '/index.html'])
    assert.ok([400, 404].includes((await get(path)).status), path)
  assertFailure(await server.anonymous.get('/assets/b-2.js'), { status: 404, code: 'SYS.1003' })
})
