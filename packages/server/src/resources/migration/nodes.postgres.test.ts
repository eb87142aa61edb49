import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { bootableDisk, migratePackage, PackageSource, reverseCleanup, TestNodes, testEngine } from '@wharf/testkit'

/** Calls to the first node; the images are in a folder of the second. Only PostgreSQL can be shared. */
if (testEngine === 'postgres') {
  const cleanup = reverseCleanup({ after })
  const source = await PackageSource.start(cleanup)
  const environment = { WHARF_DOWNLOAD_ALLOW: '127.0.0.0/8' }
  const { servers, admins } = await TestNodes.start(cleanup, 2, [{ environment }, { environment }])
  const [first, second] = servers as [(typeof servers)[0], (typeof servers)[0]]
  const [admin] = admins as [(typeof admins)[0]]
  const disk = bootableDisk()
  const bytes = migratePackage([{ key: 'GatewayImage', file: 'gateway.img', data: disk }])

  interface Image {
    status: string
    backupStorageRefs: { status: string; exportUrl: string; backupStorageUuid: string }[]
  }
  const image = async (): Promise<Image | undefined> =>
    ((await admin.get('/v1/migrate/images')).body.images as Record<string, Image>).GatewayImage

  const upload = (more: object) => {
    const params = {
      name: 'gateway',
      type: 'Migrate',
      url: source.serve('m.tar', bytes),
      installPath: 'm.tar',
      ...more,
    }
    return admin.post('/v1/software-packages/backup-storage/upload', { params })
  }

  const changeState = (uuid: string, stateEvent: string) =>
    admin.put(`/v1/backup-storage/${uuid}/actions`, { changeBackupStorageState: { stateEvent } })

  test('a package without a storage is stored where most space is free, on any node', async () => {
    await changeState(first.bootstrap.backupStorageUuid, 'disable')
    const answer = await upload({})
    assert.equal(answer.status, 200, answer.text)
    const [reference] = (await image())?.backupStorageRefs ?? []
    assert.equal(reference?.backupStorageUuid, second.bootstrap.backupStorageUuid)
  })

  test('every node lists its images as Ready', async () => {
    const found = await image()
    assert.equal(found?.status, 'Ready')
    assert.equal(found?.backupStorageRefs[0]?.status, 'Ready')
  })

  test('its images can be downloaded from every node, also in ranges', async () => {
    const { pathname, search } = new URL((await image())?.backupStorageRefs[0]?.exportUrl ?? '')
    const url = new URL(first.url).origin + pathname + search
    const whole = await fetch(url)
    assert.equal(whole.status, 200)
    assert.ok(disk.equals(Buffer.from(await whole.arrayBuffer())))
    const part = await fetch(url, { headers: { range: 'bytes=510-511' } })
    assert.equal(part.status, 206)
    assert.equal(part.headers.get('content-range'), `bytes 510-511/${disk.length}`)
    assert.ok(disk.subarray(510, 512).equals(Buffer.from(await part.arrayBuffer())))
    const head = await fetch(url, { method: 'HEAD' })
    assert.equal(head.headers.get('content-length'), String(disk.length))
    const same = await fetch(url, { headers: { 'if-none-match': whole.headers.get('etag') ?? '' } })
    assert.equal(same.status, 304)
    assert.equal((await fetch(url, { headers: { range: 'bytes=99999999-' } })).status, 416)
    assert.equal((await fetch(url.replace(/.$/, '_'))).status, 404)
  })

  test('the images of a disabled storage are Missing at every node', async () => {
    await changeState(second.bootstrap.backupStorageUuid, 'disable')
    assert.equal((await image())?.status, 'Missing')
    await changeState(second.bootstrap.backupStorageUuid, 'enable')
    assert.equal((await image())?.status, 'Ready')
  })

  test('it is deleted by the node that has it', async () => {
    const { inventories } = (await admin.get('/v1/software-package')).body
    const [{ uuid }] = inventories as [{ uuid: string }]
    const deleted = await admin.delete(`/v1/software-package/${uuid}`)
    assert.equal(deleted.status, 200, deleted.text)
    assert.equal(await image(), undefined)
  })
}
