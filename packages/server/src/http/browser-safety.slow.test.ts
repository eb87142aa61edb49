import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { connect as connectPlain } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { connect } from 'node:tls'
import { operations } from '@wharf/contract'
import { makeCertificate, rawBytes, TestServer, TrialJob, trialOperations } from '@wharf/testkit'
import { ingestPaths } from '../resources/alerts/ingest-route.ts'
import { exportPaths } from '../resources/migration/export/export-route.ts'
import { uploadPaths } from '../resources/uploads/tus.ts'

test('no response of the API is cached, sniffed, run or framed by a browser, error or not', async (t) => {
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

const isSafe = (headers: Headers, what: string): void => {
  assert.equal(headers.get('x-content-type-options'), 'nosniff', what)
  const policy = headers.get('content-security-policy') ?? ''
  assert.match(policy, /default-src 'none'.*frame-ancestors 'none'/, what)
}

test('every route sends nosniff and a policy, to any caller: lists, streams, logs, uploads, pages and metrics', async (t) => {
  const server = await TestServer.start(t, { environment: { WHARF_CORS_ORIGINS: 'https://example.com' } })
  const session = await server.logIn('admin', server.bootstrap.password)
  const { uuid } = session.credential as { uuid: string }
  const others = [
    '/',
    '/docs',
    '/docs/',
    '/docs/docs.css',
    '/metrics',
    '/healthz',
    '/readyz',
    '/openapi.json',
    '/nothing',
  ]
  const routes = [
    ...operations.map(({ method, path }) => ({ method, path })),
    ...others.map((path) => ({ method: 'GET', path })),
    ...uploadPaths,
    ...ingestPaths,
    ...exportPaths,
    { method: 'OPTIONS', path: '/v1/hosts' },
    { method: 'OPTIONS', path: '/v1/uploads/x' },
  ]
  const origin = { origin: 'https://example.com', 'access-control-request-method': 'GET' }
  for (const authorization of ['', `OAuth ${uuid}`])
    for (const { method, path } of routes) {
      // not the session that this test has
      const target = path.replaceAll(/\{\w+\}/g, 'f'.repeat(32))
      const stop = new AbortController()
      const { headers } = await fetch(server.url + target, {
        method,
        headers: { ...origin, ...(authorization === '' ? {} : { authorization }) },
        redirect: 'manual',
        signal: stop.signal,
      })
      stop.abort()
      isSafe(headers, `${method} ${path} ${authorization}`)
    }
})

test('so do the log of a job, whole and followed, and the stream of events', async (t) => {
  const server = await TestServer.start(t, { extend: trialOperations })
  const job = await TrialJob.start(server.admin)
  for (const path of [`/v1/api-jobs/${job.uuid}/log`, `/v1/api-jobs/${job.uuid}/log?follow=true`, '/v1/events']) {
    const stop = new AbortController()
    const headers = server.admin.authorization('GET', path.split('?', 1)[0] ?? '')
    const answer = await fetch(server.url + path, { headers, signal: stop.signal })
    assert.equal(answer.status, 200, path)
    isSafe(answer.headers, path)
    stop.abort()
  }
})

const unreadable: { name: string; bytes: string; status: number }[] = [
  { name: 'what is not HTTP', bytes: 'nonsense\r\n\r\n', status: 400 },
  { name: 'an address that is too long', bytes: `GET /${'a'.repeat(20_000)} HTTP/1.1\r\n\r\n`, status: 414 },
  { name: 'headers that are too long', bytes: `GET / HTTP/1.1\r\nx: ${'a'.repeat(20_000)}\r\n\r\n`, status: 431 },
  {
    name: 'two lengths',
    bytes: 'PUT / HTTP/1.1\r\nhost: a\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\n',
    status: 400,
  },
  { name: 'a broken escape', bytes: 'GET /%zz HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n', status: 400 },
  { name: 'an encoded slash', bytes: 'GET /a%2fb HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n', status: 400 },
  { name: 'no host', bytes: 'GET / HTTP/1.1\r\nconnection: close\r\n\r\n', status: 400 },
]

test('the response to a malformed request cannot be sniffed by a browser either', async (t) => {
  const server = await TestServer.start(t)
  for (const { name, bytes, status } of unreadable) {
    const answer = await rawBytes(server.url, bytes)
    assert.equal(answer.status, status, name)
    isSafe(answer.headers, name)
    assert.equal(answer.headers.get('cache-control'), 'no-store', name)
  }
})

test('a method that no operation has is rejected on every path, TRACE too', async (t) => {
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

test('the server accepts TLS 1.2 and 1.3, and nothing older', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'wharf-tls-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const { cert, key } = makeCertificate(folder)
  const server = await TestServer.start(t, { environment: { WHARF_TLS_CERT: cert, WHARF_TLS_KEY: key } })
  const { hostname: host, port } = new URL(server.url)
  const negotiated = (version: 'TLSv1.1' | 'TLSv1.2' | 'TLSv1.3') =>
    new Promise<string>((resolve) => {
      const settings = { minVersion: version, maxVersion: version, ciphers: 'ALL:@SECLEVEL=0' } as const
      const socket = connect({ host, port: Number(port), rejectUnauthorized: false, ...settings })
      socket.once('secureConnect', () => {
        resolve(socket.getProtocol() ?? 'none')
        socket.destroy()
      })
      socket.once('error', () => resolve('refused'))
    })
  assert.equal(await negotiated('TLSv1.3'), 'TLSv1.3')
  assert.equal(await negotiated('TLSv1.2'), 'TLSv1.2')
  assert.equal(await negotiated('TLSv1.1'), 'refused')
})

async function rawTrace(host: string, port: number): Promise<string> {
  const socket = connectPlain(port, host)
  socket.setEncoding('utf8')
  socket.write('TRACE /v1/hosts HTTP/1.1\r\nHost: x\r\nX-Canary: 1\r\nConnection: close\r\n\r\n')
  let text = ''
  for await (const chunk of socket) text += chunk
  return text
}
