import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { copyFileSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { createServer, type ServerOptions } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { after, type TestContext, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { type DownloadOptions, openDownload } from './download.ts'
import { TestAuthority } from './testing/authority.ts'
import { allowedAddress, downloadOptions, listen, startRawSource, startSource, until } from './testing/source.ts'
import { trustWith } from './trusted-roots.ts'

const folder = mkdtempSync(join(tmpdir(), 'download-tls-'))
after(() => rmSync(folder, { recursive: true }))
const ours = new TestAuthority(join(folder, 'ours'))
const foreign = new TestAuthority(join(folder, 'foreign'))
const good = ours.issue('good', `DNS:good.test,DNS:*.wild.test,IP:${allowedAddress}`)
const { caFile } = ours

const resolve = async () => [{ address: allowedAddress, family: 4 }]

async function startTlsSource(t: TestContext, options: ServerOptions) {
  const server = createServer(options, (request, response) => {
    const { servername } = request.socket as unknown as { servername: string | false }
    response.end(`hello ${servername || 'nobody'} ${request.headers.authorization ?? 'none'}`)
  })
  server.on('tlsClientError', () => {})
  return listen(t, server)
}

async function outcome(url: string, more: Partial<DownloadOptions> = {}): Promise<string> {
  try {
    return await text((await openDownload(new URL(url), downloadOptions({ resolve, caFile, ...more }))).stream)
  } catch (error) {
    const { code, status, message } = error as Error & { code: string; status: number }
    return `${status} ${code} ${message.replace(/:\d+:/, ':')}`
  }
}

test('trusts a certificate of an authority in the file, by name and by address', async (t) => {
  const { port, sockets } = await startTlsSource(t, good)
  assert.equal(await outcome(`https://good.test:${port}/`), 'hello good.test none')
  assert.equal(await outcome(`https://good.test.:${port}/`), 'hello good.test none')
  assert.equal(await outcome(`https://a.wild.test:${port}/`), 'hello a.wild.test none')
  assert.equal(await outcome(`https://${allowedAddress}:${port}/`), 'hello nobody none')
  assert.equal(await outcome(`https://u:p@good.test:${port}/`), 'hello good.test Basic dTpw')
  await until(() => sockets.size === 0)
})

const broken: [what: string, certificate: () => ServerOptions, message: RegExp][] = [
  [
    'has expired',
    () => ours.issue('expired', 'DNS:good.test', { to: '20210101000000Z' }),
    /its certificate has expired$/,
  ],
  [
    'is not valid yet',
    () => ours.issue('early', 'DNS:good.test', { from: '20980101000000Z' }),
    /its certificate is not valid yet$/,
  ],
  ['is self-signed', () => ours.selfSigned('self', 'DNS:good.test'), /its certificate is self-signed/],
  ['is for another name', () => ours.issue('other', 'DNS:other.test'), /its certificate is for another host$/],
  [
    'is from an unknown authority',
    () => foreign.issue('foreign', 'DNS:good.test'),
    /its certificate comes from an unknown authority \(WHARF_CA_FILE/,
  ],
]
for (const [what, certificate, message] of broken) {
  test(`a certificate that ${what} is refused before anything is sent`, async (t) => {
    const requests: string[] = []
    const server = createServer(certificate(), (request) => requests.push(request.url ?? ''))
    server.on('tlsClientError', () => {})
    const { port, sockets } = await listen(t, server)
    const answer = await outcome(`https://u:secret@good.test:${port}/`)
    assert.match(answer, /^502 SYS\.1015 cannot connect to https:\/\/good\.test: /)
    assert.match(answer, message)
    assert.doesNotMatch(answer, /secret/)
    await until(() => sockets.size === 0)
    assert.deepEqual(requests, [])
  })
}

test('a certificate for a name is not valid for an address or a subdomain', async (t) => {
  const { port } = await startTlsSource(t, ours.issue('name-only', 'DNS:good.test'))
  assert.match(await outcome(`https://${allowedAddress}:${port}/`), /its certificate is for another host$/)
  assert.match(await outcome(`https://sub.good.test:${port}/`), /its certificate is for another host$/)
})

test('without the file its authorities are not trusted', async (t) => {
  const { port } = await startTlsSource(t, good)
  assert.match(await outcome(`https://good.test:${port}/`, { caFile: undefined }), /from an unknown authority/)
})

test('names the reason when a source uses plain HTTP or an old TLS version', async (t) => {
  const plain = await startSource(t, (_, response) => response.end())
  assert.match(await outcome(`https://good.test:${plain.port}/`), /^502 SYS\.1015 .*: it does not speak TLS$/)
  const old = await startTlsSource(t, {
    ...good,
    minVersion: 'TLSv1',
    maxVersion: 'TLSv1.1',
    ciphers: 'ALL:@SECLEVEL=0',
  })
  assert.match(await outcome(`https://good.test:${old.port}/`), /^502 SYS\.1015 .*: no TLS version or cipher fits$/)
  const closing = await startRawSource(t, (socket) => void socket.end())
  assert.match(await outcome(`https://good.test:${closing.port}/`), /^502 SYS\.1015 .*: the connection was reset$/)
})

test('credentials are not sent from https to http, nor to another host', async (t) => {
  const plain = await startSource(t, (request, response) => {
    response.end(`plain ${request.headers.host?.split(':')[0]} ${request.headers.authorization ?? 'none'}`)
  })
  const server = createServer(good, (request, response) => {
    const host = request.headers.authorization === undefined ? 'lost' : request.url?.slice(1)
    response.writeHead(302, { location: `http://${host}:${plain.port}/` }).end()
  })
  const { port } = await listen(t, server)
  assert.equal(await outcome(`https://u:secret@good.test:${port}/good.test`), 'plain good.test none')
  assert.equal(await outcome(`https://u:secret@good.test:${port}/other.test`), 'plain other.test none')
})

test('reports a file without certificates, and reads a changed file again', async (t) => {
  const { port } = await startTlsSource(t, good)
  const file = join(folder, 'changing.crt')
  const url = `https://good.test:${port}/`
  assert.match(await outcome(url, { caFile: file }), /^502 SYS\.1016 .*changing\.crt \(WHARF_CA_FILE\): no such file/)
  writeFileSync(file, 'nothing')
  assert.match(await outcome(url, { caFile: file }), /^502 SYS\.1016 .*: it contains no certificate in PEM form$/)
  writeFileSync(file, '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n')
  assert.match(await outcome(url, { caFile: file }), /^502 SYS\.1016 /)
  copyFileSync(foreign.caFile, file)
  assert.match(await outcome(url, { caFile: file }), /from an unknown authority/)
  const kept = trustWith(file)
  assert.equal(trustWith(file), kept)
  copyFileSync(caFile, file)
  utimesSync(file, 1, 1)
  assert.equal(await outcome(url, { caFile: file }), 'hello good.test none')
})

test('the environment can neither disable the checks nor set a proxy', async (t) => {
  const proxied: string[] = []
  const proxy = await startSource(t, (request, response) => {
    proxied.push(request.url ?? '')
    response.end('through the proxy')
  })
  const plain = await startSource(t, (_, response) => response.end('direct'))
  const foreignSource = await startTlsSource(t, foreign.issue('unknown', 'DNS:good.test'))
  const program = fileURLToPath(new URL('testing/download-program.ts', import.meta.url))
  const address = `http://127.0.0.1:${proxy.port}`
  const env = {
    HTTP_PROXY: address,
    HTTPS_PROXY: address,
    ALL_PROXY: address,
    http_proxy: address,
    https_proxy: address,
    NODE_USE_ENV_PROXY: '1',
    NODE_TLS_REJECT_UNAUTHORIZED: '0',
  }
  const run = async (url: string): Promise<string> =>
    (await promisify(execFile)(process.execPath, [program, url], { env })).stdout
  assert.equal(await run(`http://${allowedAddress}:${plain.port}/`), 'direct')
  assert.match(await run(`https://good.test:${foreignSource.port}/`), /its certificate comes from an unknown authority/)
  assert.deepEqual(proxied, [])
})
