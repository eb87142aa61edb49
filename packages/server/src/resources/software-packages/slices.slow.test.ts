import assert from 'node:assert/strict'
import { hash, randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, mock, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import {
  type Answer,
  assertFailure,
  filesIn,
  installable,
  keptByServer,
  MovingClock,
  PackageFixture,
  recordIn,
  reverseCleanup,
  TestServer,
  tusCall,
  tusOffset,
  tusPatch,
} from '@wharf/testkit'
import { Upload, type UploadOptions } from 'tus-js-client'

const sliceBytes = 256 * 1024
const fixture = await PackageFixture.start({ after })
const { folder, server } = fixture
const md5 = (bytes: Buffer): string => hash('md5', bytes, 'hex')
const uploadUrlIn = ({ body }: Answer): string => String((body.systemTags as string[])[0]).replace(/^uploadUrl::/, '')
/** Does not compress, so that slices end inside its entries. */
const packageOf = (bytes: number): Buffer => installable({ more: [{ name: 'blob', data: randomBytes(bytes) }] })

type Send = (bytes: Buffer, url: string) => Promise<void>

/** A script without a tus library. */
const loop: Send = async (bytes, url) => {
  for (let offset = await tusOffset(url); offset < bytes.length; ) {
    const { status, headers, text } = await tusPatch(url, offset, bytes.subarray(offset, offset + sliceBytes))
    assert.equal(status, 204, text)
    offset = Number(headers.get('upload-offset'))
  }
}

const tusClient = (bytes: Buffer, uploadUrl: string, options: Partial<UploadOptions> = {}): Promise<void> => {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const retryDelays = [0, 50, 100, 200, 400, 800, 1600]
  new Upload(bytes, {
    uploadUrl,
    chunkSize: sliceBytes,
    retryDelays,
    onSuccess: () => resolve(),
    onError: reject,
    ...options,
  }).start()
  return promise
}

const clients: Record<string, Send> = { 'tus-js-client': tusClient, 'a plain loop of PATCH': loop }
const storageFolder = join(server.environment.WHARF_DATA ?? '', 'backup-storage')

for (const [name, send] of Object.entries(clients)) {
  test(`${name} uploads a package to a host`, async () => {
    const bytes = packageOf(1_000_000)
    const installPath = join(folder, `${name.replaceAll(' ', '-')}.tar`)
    const started = await fixture.upload({ url: `upload://p.tar?size=${bytes.length}&md5=${md5(bytes)}`, installPath })
    await send(bytes, uploadUrlIn(started))
    const { status, md5sum, size, unzipInstallPath } = await fixture.waitUntil(recordIn(started).uuid, hasEnded)
    assert.deepEqual([status, md5sum, size], ['Uploaded', md5(bytes), bytes.length])
    assert.ok(readFileSync(installPath).equals(bytes))
    assert.ok(filesIn(unzipInstallPath ?? '').some((path) => path.endsWith('/blob')))
    assert.equal((await fixture.install(recordIn(started).uuid)).status, 200)
    assert.deepEqual(filesIn(join(server.environment.WHARF_DATA ?? '', 'uploads')), [])
  })

  test(`${name} uploads a package to backup storage`, async () => {
    const bytes = packageOf(500_000)
    const installPath = `${name.replaceAll(' ', '-')}/p.tar`
    const started = await fixture.toStorage({ url: `upload://p.tar?size=${bytes.length}`, installPath })
    await send(bytes, uploadUrlIn(started))
    const { status, md5sum, unzipInstallPath } = await fixture.waitUntil(recordIn(started).uuid, hasEnded)
    assert.deepEqual([status, md5sum, unzipInstallPath], ['Uploaded', md5(bytes), null])
    assert.ok(readFileSync(join(storageFolder, installPath)).equals(bytes))
  })
}

const hasEnded = ({ status }: { status: string }): boolean => status !== 'Uploading'

test('a size that is announced with the last slice', async () => {
  const bytes = packageOf(300_000)
  const started = await fixture.upload({ url: 'upload://p.tar', installPath: join(folder, 'deferred.tar') })
  await tusClient(bytes, uploadUrlIn(started), { uploadLengthDeferred: true })
  const { status, md5sum } = await fixture.waitUntil(recordIn(started).uuid, hasEnded)
  assert.deepEqual([status, md5sum], ['Uploaded', md5(bytes)])
})

test('a closed tab resumes its upload with the same key', async () => {
  const bytes = packageOf(1_000_000)
  const params = { url: `upload://p.tar?size=${bytes.length}`, installPath: join(folder, 'tab.tar') }
  const key = { systemTags: [`uploadSoftwarePackage::${md5(bytes)}`] }
  const first = await fixture.upload(params, {}, key)
  await tusPatch(uploadUrlIn(first), 0, bytes.subarray(0, 700_000))
  const second = await fixture.upload(params, {}, key)
  assert.equal(recordIn(second).uuid, recordIn(first).uuid)
  const sent: number[] = []
  await tusClient(bytes, uploadUrlIn(second), { onChunkComplete: (size) => sent.push(size) })
  assert.equal(
    sent.reduce((a, b) => a + b, 0),
    bytes.length - 700_000,
    'nothing is sent twice',
  )
  assert.equal((await fixture.waitUntil(recordIn(first).uuid, hasEnded)).md5sum, md5(bytes))
})

test('a digest in any form is also the key, and may be announced when an upload is resumed', async () => {
  const bytes = packageOf(100_000)
  const sha256 = hash('sha256', bytes)
  const params = { url: `upload://p.tar?size=${bytes.length}`, installPath: join(folder, 'digest.tar') }
  const open = (...keys: string[]): Promise<Answer> =>
    fixture.upload(params, {}, { systemTags: keys.map((key) => `uploadSoftwarePackage::${key}`) })
  const first = await open(sha256)
  await tusPatch(uploadUrlIn(first), 0, bytes.subarray(0, 70_000))
  const second = await open(`{${sha256.toUpperCase()}}`, md5(bytes))
  assert.equal(recordIn(second).uuid, recordIn(first).uuid)
  assertFailure(await open(sha256, '0'.repeat(32)), { status: 409, code: 'SYS.1002', details: md5(bytes) })
  await loop(bytes, uploadUrlIn(second))
  assert.equal((await fixture.waitUntil(recordIn(first).uuid, hasEnded)).status, 'Uploaded')
})

test('parallel uploads do not mix their bytes', async () => {
  const uploads = await Promise.all(
    Array.from({ length: 6 }, async (_, index) => {
      const bytes = packageOf(200_000 + index * 1111)
      const url = `upload://p.tar?size=${bytes.length}`
      const started =
        index % 2 === 0
          ? await fixture.upload({ url, installPath: join(folder, `many${index}.tar`) })
          : await fixture.toStorage({ url, installPath: `many${index}.tar` })
      await (index % 3 === 0 ? loop : tusClient)(bytes, uploadUrlIn(started))
      return { bytes, uuid: recordIn(started).uuid }
    }),
  )
  for (const { bytes, uuid } of uploads) {
    const { status, md5sum } = await fixture.waitUntil(uuid, hasEnded)
    assert.deepEqual([status, md5sum], ['Uploaded', md5(bytes)])
  }
})

test('a page of another origin may send a preflight request and slices', async () => {
  const bytes = packageOf(10_000)
  const started = await fixture.upload({
    url: `upload://p.tar?size=${bytes.length}`,
    installPath: join(folder, 'o.tar'),
  })
  const origin = 'https://console.example.com'
  const preflight = await tusCall('OPTIONS', uploadUrlIn(started), {
    origin,
    'access-control-request-method': 'PATCH',
    'access-control-request-headers': 'content-type,tus-resumable,upload-offset',
  })
  assert.deepEqual([preflight.status, preflight.headers.get('access-control-allow-origin')], [204, '*'])
  const sent = await tusPatch(uploadUrlIn(started), 0, bytes, { origin })
  assert.deepEqual([sent.status, sent.headers.get('access-control-allow-origin')], [204, '*'])
  assert.equal((await fixture.waitUntil(recordIn(started).uuid, hasEnded)).status, 'Uploaded')
})

const failures: Record<string, (address: string, bytes: Buffer) => Promise<Answer>> = {
  'is terminated': async (address, bytes) => {
    await tusPatch(address, 0, bytes.subarray(0, 5000))
    return tusCall('DELETE', address)
  },
  'has another MD5 than announced': (address, bytes) => tusPatch(address, 0, Buffer.alloc(bytes.length, 'x')),
  'has another SHA-256 than announced': (address, bytes) => tusPatch(address, 0, Buffer.alloc(bytes.length, 'x')),
}
for (const [how, fail] of Object.entries(failures))
  test(`an upload that ${how} fails and leaves nothing`, async () => {
    const bytes = packageOf(10_000)
    const before = [...filesIn(folder), ...keptByServer(server)]
    const inAddress = how.includes('SHA') ? '' : `&md5=${md5(bytes)}`
    const systemTags = how.includes('SHA') ? [`uploadSoftwarePackage::${hash('sha256', bytes)}`] : []
    const params = { url: `upload://p.tar?size=${bytes.length}${inAddress}`, systemTags }
    const started = await Promise.all([
      fixture.upload({ ...params, installPath: join(folder, 'new/failed.tar') }),
      fixture.toStorage({ ...params, installPath: 'new/failed.tar' }),
    ])
    for (const one of started) {
      const answer = await fail(uploadUrlIn(one), bytes)
      if (how !== 'is terminated') assertFailure(answer, { status: 400, code: 'SoftwarePackage.1132' })
      const { uuid } = recordIn(one)
      assert.equal((await fixture.get(uuid)).status, 'UploadFailed')
      assert.equal((await tusCall('HEAD', uploadUrlIn(one))).status, 410)
      assert.equal((await fixture.remove(uuid)).status, 200)
    }
    assert.deepEqual([...filesIn(folder), ...keptByServer(server)], before)
  })

test('the uploads of a deleted user fail and leave nothing', async () => {
  const { bootstrap, admin } = server
  const leaver = { accountUuid: bootstrap.accountUuid, name: 'leaver', password: 'a long password', role: 'admin' }
  const user = ((await admin.post('/v1/users', { params: leaver })).body.inventory as { uuid: string }).uuid
  const login = { logInByUser: { accountUuid: bootstrap.accountUuid, userName: 'leaver', password: 'a long password' } }
  const session = (await server.anonymous.put('/v1/accounts/users/login', login)).body.inventory as { uuid: string }
  const authorization = `OAuth ${session.uuid}`
  const before = [...filesIn(folder), ...keptByServer(server)]
  const params = { url: 'upload://p.tar?size=100', installPath: join(folder, 'left.tar') }
  const started = await fixture.upload(params, { authorization })
  assert.equal(started.status, 200, started.text)
  assert.equal((await tusPatch(uploadUrlIn(started), 0, Buffer.alloc(50))).status, 204)
  const { uuid } = recordIn(started)
  assert.equal((await admin.delete(`/v1/users/${user}`)).status, 200)
  assert.equal((await fixture.get(uuid)).status, 'UploadFailed')
  assertFailure(await tusPatch(uploadUrlIn(started), 50, Buffer.alloc(50)), {
    status: 410,
    code: 'SoftwarePackage.1133',
  })
  assert.equal((await fixture.remove(uuid)).status, 200)
  assert.deepEqual([...filesIn(folder), ...keptByServer(server)], before)
})

test('an upload without slices for 72 hours fails and leaves nothing', async (t) => {
  const clock = new MovingClock()
  // the server checks for abandoned uploads every few minutes
  mock.timers.enable({ apis: ['setInterval'] })
  t.after(() => mock.timers.reset())
  const own = await PackageFixture.start(t, { clock })
  const started = await own.upload({ url: 'upload://p.tar?size=100000', installPath: join(own.folder, 'new/p.tar') })
  const { uuid } = recordIn(started)
  clock.advance(71 * 3_600_000)
  assert.equal((await tusPatch(uploadUrlIn(started), 0, Buffer.alloc(500))).status, 204)
  clock.advance(71 * 3_600_000)
  mock.timers.tick(600_000)
  assert.equal((await own.get(uuid)).status, 'Uploading')
  clock.advance(2 * 3_600_000)
  const { status } = await own.waitUntil(uuid, (record) => {
    // an upload that the previous check is still handling is left to the next
    mock.timers.tick(600_000)
    return hasEnded(record)
  })
  assert.equal(status, 'UploadFailed')
  const { body } = await own.admin.get(`/v1/system-tags?q=resourceUuid=${uuid}`)
  assert.ok(!(body.inventories as { tag: string }[]).some(({ tag }) => tag.startsWith('uploadUrl')))
  assert.equal((await tusCall('HEAD', uploadUrlIn(started))).status, 410)
  assert.deepEqual([...filesIn(own.folder), ...keptByServer(own.server)], [])
})

test('uploads continue after a restart of the server', async (t) => {
  const cleanup = reverseCleanup(t)
  const first = await PackageFixture.start(cleanup)
  const { environment, bootstrap } = first.server
  const port = new URL(first.server.url).port
  const bytes = packageOf(3_000_000)
  const url = `upload://p.tar?size=${bytes.length}&md5=${md5(bytes)}`
  const toHost = await first.upload({ url, installPath: join(first.folder, 'p.tar') })
  const toStorage = await first.toStorage({ url, installPath: 'p.tar' })
  const half = Promise.withResolvers<void>()
  const sending = tusClient(bytes, uploadUrlIn(toHost), {
    onChunkComplete: (_size, accepted) => accepted > 1_000_000 && half.resolve(),
  })
  await tusPatch(uploadUrlIn(toStorage), 0, bytes.subarray(0, 1_234_567))
  await half.promise
  await first.server.app.close()
  const again = await TestServer.open({ ...environment, WHARF_PORT: port })
  cleanup.after(() => again.app.close())
  assert.deepEqual(again.bootstrap.hostUuid, bootstrap.hostUuid)
  assert.equal(await tusOffset(uploadUrlIn(toStorage)), 1_234_567)
  await Promise.all([sending, loop(bytes, uploadUrlIn(toStorage))])
  for (const started of [toHost, toStorage]) {
    let record = recordIn(started)
    for (let attempts = 0; attempts < 500 && record.status === 'Uploading'; attempts++, await delay(20)) {
      const { body } = await again.admin.get(`/v1/software-package/${record.uuid}`)
      record = (body.inventories as (typeof record)[])[0] ?? record
    }
    assert.deepEqual([record.status, record.md5sum, record.size], ['Uploaded', md5(bytes), bytes.length])
  }
})
