import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { connect as connectPlain } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { connect } from 'node:tls'
import { makeCertificate, TestServer } from '@wharf/testkit'

test('no answer of the API is kept, guessed at, run or framed by a browser, refused or not', async (t) => {
  const server = await TestServer.start(t)
  for (const answer of [
    await server.admin.get('/v1/hosts'),
    await server.anonymous.get('/v1/hosts'),
    await server.admin.get('/v1/nothing'),
    await server.anonymous.get('/openapi.json'),
  ]) {
    assert.match(answer.headers.get('content-type') ?? '', /^application\/json;\s*charset=utf-8$/i)
    assert.equal(answer.headers.get('cache-control'), 'no-store')
    assert.equal(answer.headers.get('x-content-type-options'), 'nosniff')
    assert.equal(answer.headers.get('content-security-policy'), "default-src 'none'; frame-ancestors 'none'")
    assert.equal(answer.headers.get('set-cookie'), null)
  }
})

test('a method that no operation has is refused everywhere, TRACE too', async (t) => {
  const server = await TestServer.start(t)
  for (const path of ['/v1/hosts', '/healthz', '/metrics', '/'])
    for (const method of ['PATCH', 'PROPFIND']) {
      const { status } = await server.admin.fetch(method, path)
      assert.ok(status === 405 || status === 404, `${method} ${path}: ${status}`)
    }
  const { hostname, port } = new URL(server.url)
  const answer = await rawTrace(hostname, Number(port))
  assert.doesNotMatch(answer, /x-canary/)
  assert.match(answer, /^HTTP\/1\.1 (404|405|400) /)
})

test('it speaks TLS 1.2 and 1.3, and nothing older', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'wharf-tls-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const { cert, key } = makeCertificate(folder)
  const server = await TestServer.start(t, { environment: { WHARF_TLS_CERT: cert, WHARF_TLS_KEY: key } })
  const { hostname: host, port } = new URL(server.url)
  const speaks = (version: 'TLSv1.1' | 'TLSv1.2' | 'TLSv1.3') =>
    new Promise<string>((resolve) => {
      const settings = { minVersion: version, maxVersion: version, ciphers: 'ALL:@SECLEVEL=0' } as const
      const socket = connect({ host, port: Number(port), rejectUnauthorized: false, ...settings })
      socket.once('secureConnect', () => {
        resolve(socket.getProtocol() ?? 'none')
        socket.destroy()
      })
      socket.once('error', () => resolve('refused'))
    })
  assert.equal(await speaks('TLSv1.3'), 'TLSv1.3')
  assert.equal(await speaks('TLSv1.2'), 'TLSv1.2')
  assert.equal(await speaks('TLSv1.1'), 'refused')
})

async function rawTrace(host: string, port: number): Promise<string> {
  const socket = connectPlain(port, host)
  socket.setEncoding('utf8')
  socket.write('TRACE /v1/hosts HTTP/1.1\r\nHost: x\r\nX-Canary: 1\r\nConnection: close\r\n\r\n')
  let text = ''
  for await (const chunk of socket) text += chunk
  return text
}
