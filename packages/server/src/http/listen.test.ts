import assert from 'node:assert/strict'
import { renameSync } from 'node:fs'
import { get } from 'node:https'
import { dirname } from 'node:path'
import { after, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { connect, type TLSSocket } from 'node:tls'
import { Client, makeCertificate, reverseCleanup, serverEnvironment, TestServer } from '@wharf/testkit'
import { addressOf } from './listen.ts'

const cleanup = reverseCleanup({ after })
const environment = await serverEnvironment(cleanup)
const folder = dirname(environment.WHARF_DATA ?? '')
const { cert, key } = makeCertificate(folder, 'first')
const server = await TestServer.open({
  ...environment,
  WHARF_TLS_CERT: cert,
  WHARF_TLS_KEY: key,
  WHARF_HTTP_PORT: '0',
})
cleanup.after(() => server.app.close())
const { url, plainUrl = '' } = server.app

/** The name in the certificate that a new connection is shown. */
const shown = (): Promise<string> =>
  new Promise((resolve, reject) => {
    const socket: TLSSocket = connect({ port: Number(new URL(url).port), host: '127.0.0.1', rejectUnauthorized: false })
    socket.once('error', reject)
    socket.once('secureConnect', () => {
      resolve(String(socket.getPeerCertificate().subject.CN))
      socket.destroy()
    })
  })

test('with a certificate it serves TLS, and its address is https', async () => {
  assert.match(url, /^https:\/\/127\.0\.0\.1:\d+\/wharf$/)
  assert.equal(server.bootstrap.url, url)
  const answer = await new Promise<number | undefined>((resolve, reject) => {
    get(`${url}/readyz`, { rejectUnauthorized: false, agent: false }, (response) => {
      response.resume()
      resolve(response.statusCode)
    }).on('error', reject)
  })
  assert.equal(answer, 200)
  await assert.rejects(fetch(url.replace('https', 'http')), 'no plain HTTP on the port of TLS')
})

test('the additional plain port serves the same', async () => {
  assert.match(plainUrl, /^http:\/\/127\.0\.0\.1:\d+\/wharf$/)
  const { accessKeyId: id, accessKeySecret: secret } = server.bootstrap
  const admin = new Client(plainUrl, { kind: 'key', id, secret })
  assert.equal((await admin.get('/v1/hosts')).status, 200)
  assert.equal((await admin.get('/readyz')).status, 200)
})

test('a renewed certificate is used without a restart', async () => {
  assert.equal(await shown(), 'first')
  const renewed = makeCertificate(folder, 'second')
  renameSync(renewed.key, key)
  renameSync(renewed.cert, cert)
  for (let tries = 0; tries < 100 && (await shown()) !== 'second'; tries++) await delay(50)
  assert.equal(await shown(), 'second')
  assert.equal(server.logText.includes('certificate cannot be used'), false)
})

const addresses = [
  [{ host: '127.0.0.1', basePath: '/wharf' }, 'http://127.0.0.1:80/wharf'],
  [{ host: '127.0.0.1', basePath: '', tls: {} }, 'https://127.0.0.1:80'],
  [{ host: '0.0.0.0', basePath: '/a' }, 'http://127.0.0.1:80/a'],
  [{ host: '::', basePath: '/a' }, 'http://[::1]:80/a'],
  [{ host: 'fe80::1', basePath: '/a' }, 'http://[fe80::1]:80/a'],
  [{ host: 'example.com', basePath: '/a' }, 'http://example.com:80/a'],
] as const
for (const [settings, expected] of addresses)
  test(`a server on ${settings.host} is reached at ${expected}`, () => assert.equal(addressOf(settings, 80), expected))
