import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { copyFileSync, mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { Agent, createServer, get, type Server } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, type TestContext, test } from 'node:test'
import { connect, type TLSSocket } from 'node:tls'
import { readCertificate, watchCertificate } from './tls.ts'

const folder = mkdtempSync(join(tmpdir(), 'tls-'))
after(() => rmSync(folder, { recursive: true }))

function makeCertificate(name: string, algorithm: string[]): { cert: string; key: string } {
  const files = { cert: join(folder, `${name}.crt`), key: join(folder, `${name}.key`) }
  const request = ['req', '-x509', '-nodes', '-days', '2', '-subj', `/CN=${name}`, '-newkey', ...algorithm]
  execFileSync('openssl', [...request, '-keyout', files.key, '-out', files.cert], { stdio: 'pipe' })
  return files
}
const elliptic = ['ec', '-pkeyopt', 'ec_paramgen_curve:P-256']
const first = makeCertificate('first', elliptic)
const second = makeCertificate('second', elliptic)
const rsa = makeCertificate('rsa', ['rsa:2048'])

const intervalMs = 20

/** A server whose certificate files can be replaced. */
async function startServer(t: TestContext, files: { cert: string; key: string }) {
  const server: Server = createServer(readCertificate(files), (_, response) => response.end('hello'))
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const errors: string[] = []
  const watch = watchCertificate(server, files, (error) => errors.push(error.message), intervalMs)
  const { port } = server.address() as AddressInfo
  t.after(async () => {
    watch.stop()
    server.closeAllConnections()
    await new Promise((closed) => server.close(closed))
  })
  return { port, errors, watch }
}

const served = (port: number): Promise<string> =>
  new Promise((resolve, reject) => {
    const socket: TLSSocket = connect({ port, host: '127.0.0.1', rejectUnauthorized: false }, () => {
      resolve(String(socket.getPeerCertificate().subject.CN))
      socket.destroy()
    })
    socket.on('error', reject)
  })

async function until(what: string, holds: () => boolean | Promise<boolean>): Promise<void> {
  for (let round = 0; round < 250; round++) {
    if (await holds()) return
    await new Promise((resolve) => setTimeout(resolve, intervalMs))
  }
  assert.fail(`did not happen within 5 s: ${what}`)
}
const checks = (count: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, count * intervalMs))

function liveFiles(name: string): { cert: string; key: string } {
  const files = { cert: join(folder, `${name}-live.crt`), key: join(folder, `${name}-live.key`) }
  copyFileSync(first.cert, files.cert)
  copyFileSync(first.key, files.key)
  return files
}

function renameInto(from: string, to: string): void {
  copyFileSync(from, `${to}.new`)
  renameSync(`${to}.new`, to)
}

test('files replaced by rename apply to new connections while an open one continues', async (t) => {
  const files = liveFiles('rename')
  const { port, errors } = await startServer(t, files)
  const agent = new Agent({ keepAlive: true, maxSockets: 1, rejectUnauthorized: false })
  t.after(() => agent.destroy())
  const connect = (): Promise<TLSSocket> =>
    new Promise((resolve, reject) => {
      const request = get({ port, host: '127.0.0.1', agent }, (response) => {
        const socket = response.socket as TLSSocket // gone from the response once it has ended
        response.resume().on('end', () => resolve(socket))
      })
      request.on('error', reject)
    })
  const open = await connect()
  renameInto(second.cert, files.cert)
  renameInto(second.key, files.key)
  await until('the second certificate is served', async () => (await served(port)) === 'second')
  assert.equal(await connect(), open, 'the same connection answers')
  assert.equal(open.getPeerCertificate().subject.CN, 'first')
  assert.deepEqual(errors, [])
})

test('a swapped link to another folder is detected', async (t) => {
  const [older, newer, link] = ['older', 'newer', 'current'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ]
  for (const [place, pair] of [
    [older, first],
    [newer, second],
  ] as const) {
    mkdirSync(place)
    copyFileSync(pair.cert, join(place, 'tls.crt'))
    copyFileSync(pair.key, join(place, 'tls.key'))
  }
  symlinkSync(older, link)
  const { port } = await startServer(t, { cert: join(link, 'tls.crt'), key: join(link, 'tls.key') })
  assert.equal(await served(port), 'first')
  symlinkSync(newer, `${link}.new`)
  renameSync(`${link}.new`, link)
  await until('the second certificate is served', async () => (await served(port)) === 'second')
})

test('a broken file keeps the old certificate and is reported once; a valid one is used afterwards', async (t) => {
  const files = liveFiles('broken')
  const { port, errors } = await startServer(t, files)
  writeFileSync(files.cert, 'not a certificate')
  await until('the error is reported', () => errors.length > 0)
  await checks(10)
  assert.deepEqual(errors, [`the TLS certificate ${files.cert} does not begin with a certificate in PEM form`])
  assert.equal(await served(port), 'first')
  rmSync(files.cert)
  await until('the missing file is reported', () => errors.length > 1)
  assert.equal(errors[1], `cannot read the TLS certificate ${files.cert}: ENOENT`)
  assert.equal(await served(port), 'first')
  copyFileSync(second.key, files.key)
  copyFileSync(second.cert, files.cert)
  await until('the second certificate is served', async () => (await served(port)) === 'second')
})

test('a mismatched pair is never used', async (t) => {
  const files = liveFiles('mismatch')
  const { port, errors } = await startServer(t, files)
  copyFileSync(rsa.cert, files.cert)
  await until('the error is reported', () => errors.length > 0)
  assert.deepEqual(errors, [`the TLS key ${files.key} does not belong to the certificate ${files.cert}`])
  assert.equal(await served(port), 'first')
})

test('nothing is reloaded once the watch is stopped', async (t) => {
  const files = liveFiles('stopped')
  const { port, watch } = await startServer(t, files)
  watch.stop()
  renameInto(second.cert, files.cert)
  renameInto(second.key, files.key)
  await checks(10)
  assert.equal(await served(port), 'first')
})

test('an error names the file in one line', () => {
  const empty = join(folder, 'empty')
  writeFileSync(empty, '')
  const encrypted = join(folder, 'encrypted.key')
  execFileSync('openssl', ['ec', '-in', first.key, '-aes256', '-passout', 'pass:x', '-out', encrypted], {
    stdio: 'pipe',
  })
  const faults: [cert: string, key: string, message: RegExp][] = [
    [empty, first.key, /certificate .*empty does not begin with a certificate in PEM form$/],
    [folder, first.key, /^cannot read the TLS certificate .*: EISDIR$/],
    [first.cert, `${first.key}.gone`, /^cannot read the TLS key .*first\.key\.gone: ENOENT$/],
    [first.cert, first.cert, /key .*first\.crt is not a private key in PEM form$/],
    [first.cert, encrypted, /key .*encrypted\.key is encrypted/],
    [first.cert, second.key, /second\.key does not belong to the certificate .*first\.crt$/],
    [rsa.cert, first.key, /first\.key does not belong to the certificate .*rsa\.crt$/],
  ]
  for (const [cert, key, message] of faults) assert.throws(() => readCertificate({ cert, key }), { message })
})
