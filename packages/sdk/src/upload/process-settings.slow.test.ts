import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { hash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, request } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, type TestContext, test } from 'node:test'
import { promisify } from 'node:util'
import { makeCertificate, TestServer } from '@wharf/testkit'

/** Settings that Node reads at process start apply to slices as they do to every other request. */
const folder = mkdtempSync(join(tmpdir(), 'wharf-sdk-settings-'))
after(() => rmSync(folder, { recursive: true }))
const path = join(folder, 'source')
writeFileSync(path, randomBytes(3 * 2 ** 20))
const md5 = hash('md5', readFileSync(path), 'hex')

/** Without it every process strips the types of all modules again. */
const { NODE_COMPILE_CACHE = '' } = process.env

const program = `
  import { Wharf } from '${new URL('../wharf.ts', import.meta.url)}'
  const { url, id, secret, path, ...target } = JSON.parse(process.argv[1])
  const wharf = new Wharf({ url, accessKey: { id, secret }, retry: { tries: 2 } })
  const { md5sum } = await wharf.upload(path, { type: 'demo', sliceBytes: 2 ** 20, ...target }).done
  process.stdout.write(md5sum)
`

async function md5OfUpload(server: TestServer, url: string, env: Record<string, string>): Promise<string> {
  const { accessKeyId: id, accessKeySecret: secret } = server.bootstrap
  const target = { toBackupStorage: true, installPath: 'target' }
  const input = JSON.stringify({ url, id, secret, path, ...target })
  const run = promisify(execFile)(process.execPath, ['--input-type=module', '-e', program, input], {
    env: { NODE_COMPILE_CACHE, ...env },
  })
  return (await run).stdout
}

test('slices use the trusted certificates of the process', async (t) => {
  const { cert, key } = makeCertificate(folder)
  const server = await TestServer.start(t, { environment: { WHARF_TLS_CERT: cert, WHARF_TLS_KEY: key } })
  assert.equal(await md5OfUpload(server, server.url, { NODE_EXTRA_CA_CERTS: cert }), md5)
  await assert.rejects(md5OfUpload(server, server.url, {}), /ConnectionError: .*self-signed certificate/)
})

/** Supports CONNECT and forwarding, because Node uses both. */
async function startProxy(t: TestContext, to: URL) {
  const seen: string[] = []
  const proxy = createServer((call, reply) => {
    const { pathname, search, host } = new URL(call.url ?? '')
    seen.push(`${call.method} ${host}`)
    const path = pathname + search
    const forwarded = request({ host: to.hostname, port: to.port, method: call.method, path, headers: call.headers })
    forwarded.on('response', (answer) => answer.pipe(reply.writeHead(answer.statusCode ?? 0, answer.headers)))
    call.pipe(forwarded)
  })
  proxy.on('connect', (call, client, head) => {
    seen.push(`CONNECT ${call.url}`)
    const upstream = connect(Number(to.port), to.hostname, () => {
      client.write('HTTP/1.1 200 OK\r\n\r\n')
      upstream.write(head)
      upstream.pipe(client).pipe(upstream)
    })
    for (const socket of [client, upstream]) socket.on('error', () => [client, upstream].map((one) => one.destroy()))
  })
  proxy.listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  t.after(() => {
    proxy.closeAllConnections()
    proxy.close()
  })
  return { url: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`, seen }
}

test('slices use the proxy of the process', async (t) => {
  const server = await TestServer.start(t)
  const proxy = await startProxy(t, new URL(server.url))
  const env = { NODE_USE_ENV_PROXY: '1', HTTP_PROXY: proxy.url }
  // a name that only the proxy resolves
  assert.equal(await md5OfUpload(server, 'http://wharf.invalid', env), md5)
  assert.equal(proxy.seen.filter((line) => line === 'PATCH wharf.invalid').length, 3)
})
