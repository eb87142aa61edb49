import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer as createHttpServer, type RequestListener, type Server } from 'node:http'
import { createServer as createHttpsServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { type TestContext, test } from 'node:test'
import { ApiError } from '@wharf/platform/api-error.ts'
import { type Cidr, parseCidr } from '@wharf/platform/cidr.ts'
import { Secret } from '@wharf/platform/secret.ts'
import { makeCertificate, runProgram } from '@wharf/testkit'
import { s3Location } from '../locations.ts'
import { S3Driver } from './s3-driver.ts'

/** What a real service does is tried in s3-driver.storage.test.ts; these answers are hard to get from one. */

const { signal } = new AbortController()
const secret = 'the-secret-access-key'

async function listen(t: TestContext, server: Server): Promise<number> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  return (server.address() as AddressInfo).port
}

const networks = (...texts: string[]): Cidr[] => texts.flatMap((text) => parseCidr(text) ?? [])

function open(t: TestContext, endpoint: string, more: { caFile?: string; allow?: Cidr[] } = {}): S3Driver {
  const driver = new S3Driver({
    ...s3Location(`s3://packages?endpoint=${endpoint}`),
    allow: networks('127.0.0.0/8', '::1'),
    ...more,
    storage: 'backup storage test',
    accessKeyId: 'someone',
    secretAccessKey: Secret.of(secret),
  })
  t.after(() => driver.close())
  return driver
}

const answering = async (t: TestContext, listener: RequestListener): Promise<S3Driver> =>
  open(t, `http://127.0.0.1:${await listen(t, createHttpServer(listener))}`)

const refusing =
  (status: number, code: string): RequestListener =>
  (_, response) => {
    response.writeHead(status, { 'content-type': 'application/xml' })
    response.end(`<?xml version="1.0"?><Error><Code>${code}</Code><Message>${secret}</Message></Error>`)
  }

for (const { status, code, is, message } of [
  { status: 403, code: 'AccessDenied', is: 'BS.1500', message: /the access key may not do that/ },
  { status: 404, code: 'NoSuchBucket', is: 'BS.1500', message: /the bucket does not exist/ },
  { status: 403, code: 'QuotaExceeded', is: 'SoftwarePackage.1121', message: /QuotaExceeded/ },
  { status: 400, code: 'EntityTooLarge', is: 'BS.1500', message: /the file is larger than the storage accepts/ },
  { status: 507, code: 'XMinioStorageFull', is: 'SoftwarePackage.1121', message: /XMinioStorageFull/ },
  { status: 418, code: 'Teapot', is: 'BS.1500', message: /it answered 418 Teapot/ },
])
  test(`an answer ${status} ${code} is ${is}`, async (t) => {
    const driver = await answering(t, refusing(status, code))
    await assert.rejects(driver.remove('file', { signal }), (error) => {
      assert.ok(error instanceof ApiError)
      assert.equal(error.code, is)
      assert.match(error.message, message)
      assert.doesNotMatch(error.message, new RegExp(secret))
      return true
    })
  })

test('a service without conditions gets none, after a check', async (t) => {
  const calls: string[] = []
  const driver = await answering(t, (request, response) => {
    request.resume()
    const condition = request.headers['if-none-match']
    calls.push([request.method, condition].filter(Boolean).join(' '))
    if (request.method === 'HEAD') response.writeHead(404).end()
    else if (request.method === 'GET') response.end('<ListMultipartUploadsResult/>')
    else if (condition) refusing(501, 'NotImplemented')(request, response)
    else response.end()
  })
  await driver.put(Readable.from(['bytes']), 'file', { signal })
  assert.deepEqual(calls, ['HEAD', 'GET', 'HEAD', 'PUT *', 'PUT'])
})

test('an access key that may not list can write, and never replaces', async (t) => {
  const stored = new Set<string>()
  const driver = await answering(t, (request, response) => {
    request.resume()
    const { method, url = '', headers } = request
    if (method !== 'PUT') refusing(403, 'AccessDenied')(request, response)
    else if (stored.has(url) && headers['if-none-match'] === '*') refusing(412, 'PreconditionFailed')(request, response)
    else stored.add(url) && response.end()
  })
  await driver.usage({ signal })
  await driver.put(Readable.from(['bytes']), 'file', { signal })
  await assert.rejects(driver.put(Readable.from(['bytes']), 'file', { signal }), { code: 'SYS.1002' })
})

test('an object whose connection breaks fails instead of ending early', async (t) => {
  const driver = await answering(t, (_, response) => {
    response.writeHead(200, { 'content-length': '1000000' })
    response.write(Buffer.alloc(1000))
    setTimeout(() => response.destroy(), 50)
  })
  await assert.rejects(buffer(driver.get('file', { signal })), { code: 'BS.1500', message: /broke off/ })
})

test('a service that never answers is abandoned when the signal is aborted', async (t) => {
  const driver = await answering(t, () => {})
  const reason = new Error('cancelled')
  const soon = (): AbortSignal => {
    const controller = new AbortController()
    setTimeout(() => controller.abort(reason), 100)
    return controller.signal
  }
  await assert.rejects(driver.usage({ signal: soon() }), (error) => error === reason)
  await assert.rejects(driver.put(Readable.from(['x']), 'file', { signal: soon() }), (error) => error === reason)
  await assert.rejects(buffer(driver.get('file', { signal: soon() })), (error) => error === reason)
})

test('a certificate is trusted when its authority is, and not otherwise', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'wharf-s3-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const files = makeCertificate(folder)
  const options = { cert: readFileSync(files.cert), key: readFileSync(files.key) }
  const port = await listen(
    t,
    createHttpsServer(options, (_, response) => response.end()),
  )
  const endpoint = `https://localhost:${port}`
  await assert.rejects(open(t, endpoint).usage({ signal }), { code: 'BS.1003', message: /certificate/ })
  assert.deepEqual(await open(t, endpoint, { caFile: files.cert }).usage({ signal }), {
    totalCapacity: 0,
    availableCapacity: 0,
  })
})

for (const host of [
  '127.0.0.1',
  'localhost',
  '[::1]',
  '[::ffff:127.0.0.1]',
  '0.0.0.0',
  '2130706433',
  '0177.1',
  '[64:ff9b::7f00:1]',
])
  test(`no request is sent to ${host} unless its network is allowed`, async (t) => {
    const seen: unknown[] = []
    const port = await listen(
      t,
      createHttpServer(({ url }, response) => response.end(seen.push(url))),
    )
    for (const scheme of ['http', 'https']) {
      const driver = open(t, `${scheme}://${host}:${port}`, { allow: [] })
      const refused = { code: 'SYS.1007', message: /^url leads to .*WHARF_DOWNLOAD_ALLOW/ }
      await assert.rejects(driver.usage({ signal }), refused)
      await assert.rejects(driver.put(Readable.from(['x']), 'file', { signal }), refused)
      await assert.rejects(buffer(driver.get('file', { signal })), refused)
    }
    assert.deepEqual(seen, [])
  })

test('a redirect cannot bypass the guard', async (t) => {
  const seen: unknown[] = []
  const inner = await listen(
    t,
    createHttpServer(({ url }, response) => response.end(seen.push(url))),
  )
  const headers = { location: `http://127.0.0.2:${inner}/`, 'x-amz-bucket-region': 'elsewhere' }
  const outer = await listen(
    t,
    createHttpServer((_, response) => response.writeHead(301, headers).end()),
  )
  const driver = open(t, `http://127.0.0.1:${outer}`, { allow: networks('127.0.0.1') })
  await assert.rejects(driver.usage({ signal }), { code: 'BS.1500' })
  assert.deepEqual(seen, [])
})

test('a server that has no storage of this type starts without the library', async () => {
  const program = `
    import { registerHooks } from 'node:module'
    const loaded = []
    registerHooks({ load: (url, context, next) => (loaded.push(url), next(url, context)) })
    await import('${import.meta.resolve('../../../composition/app.ts')}')
    const seen = (part) => loaded.some((url) => url.includes(part))
    console.log(JSON.stringify([seen('/s3-driver.ts'), seen('/@aws-sdk/'), seen('/@smithy/')]))
    process.exit()`
  const output = await runProgram(process.execPath, ['--input-type=module', '--eval', program])
  assert.deepEqual(JSON.parse(output), [true, false, false])
})
