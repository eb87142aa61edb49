import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { readdirSync, rmSync, truncateSync } from 'node:fs'
import { join } from 'node:path'
import { after, suite, test } from 'node:test'
import { zstdCompressSync } from 'node:zlib'
import {
  assertFailure,
  assertUnchanged,
  bootableDisk,
  type Client,
  filesIn,
  gatewayImage,
  gzipped,
  installable,
  MovingClock,
  migrateManifest,
  migratePackage,
  PackageFixture,
  recordIn,
  zipped,
} from '@wharf/testkit'
import { qcow2Overlay } from './images/qcow2-overlay.ts'

const clock = new MovingClock()
const fixture = await PackageFixture.start({ after }, { clock })
const { admin, source, server } = fixture
const storageFolder = join(server.environment.WHARF_DATA ?? '', 'backup-storage')

interface Reference {
  imageUuid: string
  installPath: string
  exportUrl: string | null
  exportMd5Sum: string
  status: string
}
interface Image {
  uuid: string
  name: string
  status: string
  md5Sum: string
  backupStorageRefs: Reference[]
}

const images = async (client: Client = admin) =>
  (await client.get('/v1/migrate/images')).body.images as Record<string, Image>
const md5 = (data: Buffer): string => createHash('md5').update(data).digest('hex')

let count = 0
/** Uploads a package of type Migrate under a unique name. */
async function uploaded(bytes: Buffer, ending = 'tar') {
  const name = `m${++count}.${ending}`
  return fixture.toStorage({ name, type: 'Migrate', url: source.serve(name, bytes), installPath: `gateway/${name}` })
}
async function remove(uuid: string): Promise<void> {
  const removed = await fixture.remove(uuid)
  assert.equal(removed.status, 200, removed.text)
}

test('without a package the lists of images and VMs are empty', async () => {
  const { body, status } = await admin.get('/v1/migrate/images')
  assert.deepEqual([status, body], [200, { images: {}, success: true, error: null }])
  const none = { managementVmInstanceUuid: null, gatewayVmInstances: [], success: true, error: null }
  assert.deepEqual((await admin.get('/v1/migrate/vm-instances')).body, none)
})

const disk = bootableDisk()
const iso = Buffer.alloc(40 * 1024)
iso.write('\x01CD001', 16 * 2048, 'latin1')
const backed = qcow2Overlay({ path: '/etc/passwd', format: 'raw', size: 2 ** 20 })
const flat = Buffer.from(backed)
flat.writeBigUInt64BE(0n, 8)
const all = [
  { key: 'GatewayImage', file: 'images/gateway.qcow2', data: flat },
  { key: 'LinuxBootImage', file: 'images/linux boot.img', data: disk },
  { key: 'WindowsBootImage', file: 'images/windows.iso', platform: 'Windows', data: iso },
]
const files = Object.fromEntries(all.map(({ file, data }) => [file, data]))
const packed = migratePackage(all)

for (const [ending, bytes] of [
  ['tar', packed],
  ['tar.gz', gzipped(packed)],
  ['tar.zst', zstdCompressSync(packed)],
  ['zip', zipped({ 'wharf.json': migrateManifest(all), ...files })],
] as const)
  test(`registers the images of a ${ending} unchanged`, async () => {
    const { uuid } = recordIn(await uploaded(bytes, ending))
    const found = (await images()) as unknown as Record<string, Record<string, unknown>>
    assert.deepEqual(Object.keys(found).sort(), ['GatewayImage', 'LinuxBootImage', 'WindowsBootImage'])
    const facts = ({
      size,
      actualSize,
      md5Sum,
      format,
      mediaType,
      platform,
      status,
      state,
      type,
      system,
    }: Record<string, unknown>) => ({
      size,
      actualSize,
      md5Sum,
      format,
      mediaType,
      platform,
      status,
      state,
      type,
      system,
    })
    const same = { status: 'Ready', state: 'Enabled', type: 'wharf', system: true }
    const root = { mediaType: 'RootVolumeTemplate', platform: 'Linux', ...same }
    assert.deepEqual(facts(found.GatewayImage ?? {}), {
      size: 2 ** 20,
      actualSize: flat.length,
      md5Sum: md5(flat),
      format: 'qcow2',
      ...root,
    })
    assert.deepEqual(facts(found.LinuxBootImage ?? {}), {
      size: 2 ** 20,
      actualSize: disk.length,
      md5Sum: md5(disk),
      format: 'raw',
      ...root,
    })
    assert.deepEqual(facts(found.WindowsBootImage ?? {}), {
      size: iso.length,
      actualSize: iso.length,
      md5Sum: md5(iso),
      format: 'iso',
      mediaType: 'ISO',
      platform: 'Windows',
      ...same,
    })
    assert.match(String(found.GatewayImage?.createDate), /^[A-Z][a-z]{2} \d/)
    const [reference] = (await images()).LinuxBootImage?.backupStorageRefs ?? []
    const fetched = await fetch(reference?.exportUrl ?? '')
    assert.ok(Buffer.from(await fetched.arrayBuffer()).equals(disk))
    await remove(uuid)
    assert.deepEqual(await images(), {})
    assert.deepEqual(filesIn(storageFolder), [])
  })

const cut = flat.subarray(0, 2 ** 17)
const external = Buffer.from(flat)
external.writeBigUInt64BE(4n, 72)
const encrypted = Buffer.from(flat)
encrypted.writeUInt32BE(2, 32)
const image = (data: Buffer, file = 'images/gateway.qcow2') => migratePackage([{ ...gatewayImage, file, data }])
const noImages = { ...JSON.parse(migrateManifest([])), images: undefined }

for (const { name, bytes, details } of [
  { name: 'a package without images', bytes: migratePackage([]), details: 'must contain images' },
  {
    name: 'a package whose wharf.json has no images',
    bytes: zipped({ 'wharf.json': JSON.stringify(noImages) }),
    details: 'must contain images',
  },
  { name: 'an archive without wharf.json', bytes: zipped({ 'gateway.qcow2': flat }), details: 'must contain images' },
  { name: 'a file that is not an archive', bytes: flat, details: 'must contain images' },
  { name: 'a qcow2 with a backing file', bytes: image(backed), details: 'has a backing file' },
  { name: 'a qcow2 with an external data file', bytes: image(external), details: 'keeps its data in another file' },
  { name: 'an encrypted qcow2', bytes: image(encrypted), details: 'is encrypted' },
  { name: 'a truncated qcow2', bytes: image(cut), details: 'is a truncated qcow2' },
  {
    name: 'a text file with the name of a qcow2',
    bytes: image(Buffer.from('hello')),
    details: 'is not a qcow2 image, despite its name',
  },
  { name: 'an empty image', bytes: image(Buffer.alloc(0), 'images/a.raw'), details: 'is empty' },
  { name: 'a VMDK', bytes: image(Buffer.from('KDMV....'), 'images/a.img'), details: 'is a VMDK' },
])
  test(`refuses ${name}, and keeps nothing of it`, async () => {
    const answer = await uploaded(bytes, 'bin')
    assertFailure(answer, { status: 400, code: 'SoftwarePackage.1132', details })
    assert.deepEqual(await images(), {})
    assert.deepEqual(filesIn(storageFolder), [])
  })

test('only one package of type Migrate is allowed, also while the first is still uploading', async () => {
  const sliced = await fixture.toStorage({ type: 'Migrate', url: 'upload://m.tar', installPath: 'sliced.tar' })
  assert.equal(recordIn(sliced).status, 'Uploading')
  const two = await Promise.all([uploaded(packed), uploaded(packed)])
  for (const answer of two) assertFailure(answer, { status: 409, code: 'SYS.1002', details: 'only one is allowed' })
  await remove(recordIn(sliced).uuid)
  const racing = await Promise.all([uploaded(packed), uploaded(packed), uploaded(packed)])
  assert.deepEqual(racing.map(({ status }) => status).sort(), [200, 409, 409])
  const first = racing.find(({ status }) => status === 200)
  assert.ok(first)
  assertFailure(await uploaded(packed), { status: 409, code: 'SYS.1002' })
  await remove(recordIn(first).uuid)
})

test('a package whose upload failed does not block another', async () => {
  assertFailure(await uploaded(migratePackage([]), 'tar'), { status: 400, code: 'SoftwarePackage.1132' })
  const { uuid } = recordIn(await uploaded(packed))
  assert.equal(Object.keys(await images()).length, 3)
  const { body } = await admin.get('/v1/software-package?q=type=Migrate&q=status=UploadFailed')
  for (const failed of body.inventories as { uuid: string }[]) await remove(failed.uuid)
  assert.equal(Object.keys(await images()).length, 3)
  await remove(uuid)
})

test('refuses to upload such a package to a host', async () => {
  const answer = await fixture.upload({
    type: 'Migrate',
    url: source.serve('h.tar', packed),
    installPath: join(fixture.folder, 'h.tar'),
  })
  assertFailure(answer, { status: 400, code: 'SYS.1007', details: 'is uploaded to backup storage' })
})

suite('with a package', () => {
  let packageUuid = ''
  const exportUrl = async (key = 'LinuxBootImage'): Promise<string> =>
    (await images())[key]?.backupStorageRefs[0]?.exportUrl ?? ''

  test('is uploaded', async () => {
    packageUuid = recordIn(await uploaded(packed)).uuid
  })

  test('an image that is missing or truncated is Missing, and has no address', async () => {
    const before = await images()
    const path = (key: string) => join(storageFolder, before[key]?.backupStorageRefs[0]?.installPath ?? '')
    rmSync(path('WindowsBootImage'))
    truncateSync(path('GatewayImage'), 1000)
    const now = await images()
    const shown = Object.entries(now).map(
      ([
        key,
        {
          status,
          backupStorageRefs: [one],
        },
      ]) => [key, status, one?.status, one?.exportUrl === null],
    )
    assert.deepEqual(shown.sort(), [
      ['GatewayImage', 'Missing', 'Missing', true],
      ['LinuxBootImage', 'Ready', 'Ready', false],
      ['WindowsBootImage', 'Missing', 'Missing', true],
    ])
    const gone = await fetch(before.WindowsBootImage?.backupStorageRefs[0]?.exportUrl ?? '')
    assert.equal(gone.status, 404)
  })

  const etag = `"${md5(disk)}"`
  const last = disk.length - 1
  for (const row of [
    { name: 'the whole', headers: {}, status: 200, from: 0, to: last },
    { name: 'the beginning', headers: { range: 'bytes=0-511' }, status: 206, from: 0, to: 511 },
    { name: 'one byte', headers: { range: 'bytes=510-510' }, status: 206, from: 510, to: 510 },
    { name: 'the rest', headers: { range: 'bytes=1048000-' }, status: 206, from: 1048000, to: last },
    { name: 'the end', headers: { range: 'bytes=-100' }, status: 206, from: last - 99, to: last },
    {
      name: 'a range that ends after the file',
      headers: { range: 'bytes=1048000-9999999' },
      status: 206,
      from: 1048000,
      to: last,
    },
    { name: 'a suffix longer than the file', headers: { range: 'bytes=-9999999' }, status: 206, from: 0, to: last },
    {
      name: 'the rest of an unchanged image',
      headers: { range: 'bytes=5-', 'if-range': etag },
      status: 206,
      from: 5,
      to: last,
    },
    {
      name: 'all of a changed image',
      headers: { range: 'bytes=5-', 'if-range': '"other"' },
      status: 200,
      from: 0,
      to: last,
    },
    {
      name: 'all when the tag is weak',
      headers: { range: 'bytes=5-', 'if-range': `W/${etag}` },
      status: 200,
      from: 0,
      to: last,
    },
    { name: 'all for several ranges', headers: { range: 'bytes=0-1,5-6' }, status: 200, from: 0, to: last },
    { name: 'all for an invalid range', headers: { range: 'bytes=7-5' }, status: 200, from: 0, to: last },
    { name: 'an image that matches', headers: { 'if-match': etag, range: 'bytes=0-1' }, status: 206, from: 0, to: 1 },
  ])
    test(`serves ${row.name}`, async () => {
      const answer = await fetch(await exportUrl(), { headers: row.headers as Record<string, string> })
      const body = Buffer.from(await answer.arrayBuffer())
      assert.equal(answer.status, row.status)
      assert.ok(body.equals(disk.subarray(row.from, row.to + 1)))
      assert.equal(answer.headers.get('content-length'), String(row.to - row.from + 1))
      const isPart = row.status === 206
      assert.equal(answer.headers.get('content-range'), isPart ? `bytes ${row.from}-${row.to}/${disk.length}` : null)
      assert.equal(answer.headers.get('accept-ranges'), 'bytes')
      assert.equal(answer.headers.get('etag'), etag)
      const digest = Buffer.from(md5(disk), 'hex').toString('base64')
      assert.equal(answer.headers.get('repr-digest'), `md5=:${digest}:`)
      assert.equal(answer.headers.get('content-md5'), isPart ? null : digest)
      assert.match(answer.headers.get('content-disposition') ?? '', /filename="linux_boot\.img"/)
    })

  test('tags and dates decide whether a range or the whole image is served', async () => {
    const url = await exportUrl()
    const modified = (await fetch(url, { method: 'HEAD' })).headers.get('last-modified') ?? ''
    assert.equal((await fetch(url, { headers: { range: 'bytes=1-', 'if-range': modified } })).status, 206)
    assert.equal(
      (await fetch(url, { headers: { range: 'bytes=1-', 'if-range': new Date(0).toUTCString() } })).status,
      200,
    )
    assert.equal((await fetch(url, { headers: { 'if-none-match': etag } })).status, 304)
    assert.equal((await fetch(url, { headers: { 'if-modified-since': modified } })).status, 304)
    assert.equal((await fetch(url, { headers: { 'if-match': '"other"' } })).status, 412)
  })

  test('HEAD returns the same headers without the bytes', async () => {
    const answer = await fetch(await exportUrl(), { method: 'HEAD', headers: { range: 'bytes=0-1' } })
    assert.deepEqual([answer.status, answer.headers.get('content-length')], [200, String(disk.length)])
    assert.equal(answer.headers.get('etag'), etag)
    assert.equal((await answer.arrayBuffer()).byteLength, 0)
  })

  test('a range beyond the end is 416, with the size', async () => {
    const answer = await fetch(await exportUrl(), { headers: { range: `bytes=${disk.length}-` } })
    assert.deepEqual([answer.status, answer.headers.get('content-range')], [416, `bytes */${disk.length}`])
    assert.equal(((await answer.json()) as { error: { code: string } }).error.code, 'SYS.1007')
  })

  test('a modified address returns 404, and one older than a day is refused', async () => {
    const url = new URL(await exportUrl())
    const other = (await images()).GatewayImage?.uuid ?? ''
    const tampered = [
      url.href.replace(/.$/, (end) => (end === 'A' ? 'B' : 'A')),
      url.href.replace(/expires=\d/, 'expires=9'),
      url.href.replace(/signature=.*/, ''),
      url.href.replace(/\?.*/, ''),
      url.href.replace(/images\/[0-9a-f]+/, `images/${other}`),
    ]
    for (const address of tampered) assert.equal((await fetch(address)).status, 404, address)
    assert.equal((await fetch(url, { method: 'POST' })).status, 405)
    clock.advance(24 * 3_600_000 - 1000)
    assert.equal((await fetch(url)).status, 200)
    clock.advance(1000)
    const ended = await fetch(url)
    assert.deepEqual([ended.status, ((await ended.json()) as { error: { code: string } }).error.code], [403, 'ID.1002'])
    assert.equal((await fetch(await exportUrl())).status, 200)
  })

  test('a reader may list images and VMs; only an admin may create VMs on the machine of the server', async () => {
    const [reader, operator] = await Promise.all([server.signIn('reader'), server.signIn('operator')])
    assert.equal(Object.keys(await images(reader)).length, 3)
    assert.equal((await reader.get('/v1/migrate/vm-instances')).status, 200)
    const params = { name: 'g1', hostUuid: server.bootstrap.hostUuid }
    for (const as of [reader, operator])
      assertFailure(await as.post('/v1/migrate/vm-instances', { params }), { status: 403, code: 'ID.1002' })
    const refused = await server.admin.post('/v1/migrate/vm-instances', { params })
    assertFailure(refused, {
      status: 409,
      code: 'SYS.1005',
      details: 'is Uploaded; to create gateway VMs it must be Installed',
    })
    assertFailure(await server.anonymous.get('/v1/migrate/images'), { status: 401, code: 'ID.1001' })
  })

  for (const { name, config, status, code, details } of [
    { name: 'without a host', config: {}, status: 400, code: 'SYS.1007', details: 'must name the hostUuid' },
    {
      name: 'on a host that does not exist',
      config: { hostUuid: '0'.repeat(32) },
      status: 404,
      code: 'SYS.1003',
      details: 'host',
    },
    { name: 'without a processor', config: { cpu: 0 }, status: 400, code: 'SYS.1007', details: 'cpu must be' },
    {
      name: 'with little memory',
      config: { memoryBytes: 1000 },
      status: 400,
      code: 'SYS.1007',
      details: 'memoryBytes must be',
    },
    {
      name: 'with an invalid network',
      config: { network: "default'/>" },
      status: 400,
      code: 'SYS.1007',
      details: 'network must be',
    },
  ])
    test(`is not installed ${name}`, async () => {
      const { hostUuid } = server.bootstrap
      const whole = name.includes('host') ? config : { hostUuid, ...config }
      await assertUnchanged(fixture, async () =>
        assertFailure(await fixture.install(packageUuid, whole), { status, code, details }),
      )
    })

  for (const { name, params, status, code, details } of [
    { name: 'without a name', params: { name: undefined }, status: 400, code: 'SYS.1007', details: 'params.name' },
    {
      name: 'on a host that does not exist',
      params: { hostUuid: '0'.repeat(32) },
      status: 404,
      code: 'SYS.1003',
      details: 'host',
    },
    { name: 'with half a processor', params: { cpu: 0.5 }, status: 400, code: 'SYS.1007', details: 'cpu' },
    {
      name: 'with an invalid network',
      params: { network: 'bridge:' },
      status: 400,
      code: 'SYS.1007',
      details: 'network must be',
    },
  ])
    test(`refuses to create a VM ${name}`, async () => {
      const given = { name: 'g', hostUuid: server.bootstrap.hostUuid, ...params }
      assertFailure(await admin.post('/v1/migrate/vm-instances', { params: given }), { status, code, details })
    })

  const taken: [string, () => Promise<string>][] = [
    ['the package', async () => packageUuid],
    ['the image', async () => (await images()).GatewayImage?.uuid ?? ''],
    ['the host', async () => server.bootstrap.hostUuid],
  ]
  for (const [whose, uuidOf] of taken)
    test(`refuses to create a VM with the uuid of ${whose}, whose tags and jobs it would share`, async () => {
      const resourceUuid = await uuidOf()
      const params = { name: 'g', hostUuid: server.bootstrap.hostUuid, resourceUuid }
      const refused = await admin.post('/v1/migrate/vm-instances', { params })
      assertFailure(refused, { status: 409, code: 'SYS.1002', details: `uuid ${resourceUuid} is in use` })
    })

  test('a package without a GatewayImage can be uploaded, not installed', async () => {
    await remove(packageUuid)
    const { uuid } = recordIn(await uploaded(migratePackage([{ ...gatewayImage, key: 'LinuxBootImage' }])))
    const answer = await fixture.install(uuid, { hostUuid: server.bootstrap.hostUuid })
    assertFailure(answer, { status: 400, code: 'SoftwarePackage.1132', details: 'has no GatewayImage' })
    await remove(uuid)
    assert.deepEqual(readdirSync(storageFolder), [])
  })

  test('packages of other types on backup storage are not unpacked', async () => {
    const kept = await fixture.toStorage({ url: source.serve('o.tar', installable()), installPath: 'o.tar' })
    assert.equal(recordIn(kept).status, 'Uploaded')
    assert.deepEqual(filesIn(storageFolder), [join(storageFolder, 'o.tar')])
  })
})
