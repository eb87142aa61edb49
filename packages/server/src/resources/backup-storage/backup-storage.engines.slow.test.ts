import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { newUuid } from '@wharf/platform/ids.ts'
import { assertFailure, Canaries, TestServer, testOnce } from '@wharf/testkit'
import { BackupStorageService } from './service.ts'

interface Inventory {
  errorCode: string | null
  errorDetails: string | null
  uuid: string
  name: string
  state: string
  status: string
  totalCapacity: number
}

function makeFolder(t: TestContext): { folder: string; url: string } {
  const folder = mkdtempSync(join(tmpdir(), 'wharf-storage-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  return { folder, url: `file://${folder}` }
}

async function addFolder(server: TestServer, url: string, more: object = {}): Promise<Inventory> {
  const answer = await server.admin.post('/v1/backup-storage', {
    params: { name: 'shelf', type: 'folder', url, ...more },
  })
  assert.equal(answer.status, 200, answer.text)
  return answer.body.inventory as Inventory
}

async function find(server: TestServer, uuid: string): Promise<Inventory | undefined> {
  const { body } = await server.admin.get(`/v1/backup-storage?q=uuid=${uuid}`)
  return (body.inventories as Inventory[])[0]
}

const names = async (server: TestServer): Promise<string[]> =>
  ((await server.admin.get('/v1/backup-storage?sort=name')).body.inventories as Inventory[]).map(({ name }) => name)

const codeIs = (code: string, message = /./) => ({ code, message })

test('a folder is added, disabled, reconnected and deleted', async (t) => {
  const server = await TestServer.start(t)
  const { folder, url } = makeFolder(t)
  const resourceUuid = newUuid()
  const added = await addFolder(server, url, { resourceUuid, description: 'in the cellar' })
  assert.deepEqual(Object.keys(added).toSorted(), Object.keys((await find(server, resourceUuid)) ?? {}).toSorted())
  const { totalCapacity, ...rest } = added
  assert.ok(totalCapacity > 0)
  assert.partialDeepStrictEqual(rest, {
    uuid: resourceUuid,
    type: 'folder',
    url,
    managementNodeUuid: server.bootstrap.managementNodeUuid,
    state: 'Enabled',
    status: 'Connected',
  })
  assert.deepEqual(readdirSync(folder), [], 'trying it leaves nothing')

  const actions = `/v1/backup-storage/${resourceUuid}/actions`
  const change = (stateEvent: string) => server.admin.put(actions, { changeBackupStorageState: { stateEvent } })
  assert.equal(((await change('disable')).body.inventory as Inventory).state, 'Disabled')
  assert.equal(((await change('enable')).body.inventory as Inventory).state, 'Enabled')

  rmSync(folder, { recursive: true })
  assertFailure(await server.admin.put(actions, { reconnectBackupStorage: {} }), {
    status: 502,
    code: 'BS.1003',
    details: /does not exist/,
  })
  const lost = await find(server, resourceUuid)
  assert.deepEqual([lost?.status, lost?.errorCode], ['Disconnected', 'BS.1003'])
  assert.match(String(lost?.errorDetails), /does not exist/)
  const store = (columns: object) =>
    server.app.foundation.database.transaction((tx) =>
      tx.updateTable('backupStorage').set(columns).where('uuid', '=', resourceUuid).execute(),
    )
  await store({ errorDetails: 'an earlier failure' })
  await server.admin.put(actions, { reconnectBackupStorage: {} })
  assert.equal((await find(server, resourceUuid))?.errorDetails, lost?.errorDetails)
  // a node of an older version changes only the status
  await store({ status: 'Connected' })
  const connected = await find(server, resourceUuid)
  assert.deepEqual([connected?.errorCode, connected?.errorDetails], [null, null])
  assert.equal(((await change('enable')).body.inventory as Inventory).errorCode, null)
  await store({ status: 'Disconnected' })
  mkdirSync(folder)
  const back = await server.admin.put(actions, { reconnectBackupStorage: {} })
  const found = back.body.inventory as Inventory
  assert.deepEqual([found.status, found.errorCode, found.errorDetails], ['Connected', null, null], back.text)

  assert.equal((await server.admin.delete(`/v1/backup-storage/${resourceUuid}`)).status, 200)
  assert.deepEqual(await names(server), ['local-folder'])
  assertFailure(await server.admin.delete(`/v1/backup-storage/${resourceUuid}`), { status: 404, code: 'SYS.1003' })
})

testOnce('what cannot be added leaves no record, no tag and no file', async (t) => {
  const server = await TestServer.start(t, { environment: { WHARF_DOWNLOAD_ALLOW: '127.0.0.1' } })
  const { folder, url } = makeFolder(t)
  const file = join(folder, 'file')
  writeFileSync(file, '')
  const { WHARF_DATA: data = '' } = server.environment
  const taken = server.bootstrap.backupStorageUuid
  const s3 = { type: 's3', url: 's3://bucket?endpoint=http://127.0.0.1:1', accessKeyId: 'i', secretAccessKey: 's' }
  for (const [params, status, code, details] of [
    [{ url: `${url}/missing` }, 502, 'BS.1003', /does not exist/],
    [{ url: `file://${file}` }, 502, 'BS.1003', /does not exist/],
    [{ url: '/srv' }, 400, 'SYS.1007', /file:\/\/\/path/],
    [{ url: `file://${data}` }, 400, 'SYS.1007', /data folder/],
    [{ username: 'keeper' }, 400, 'SYS.1007', /username/],
    [{ resourceUuid: taken }, 409, 'SYS.1002', /already exists/],
    [{ tagUuids: [newUuid()] }, 404, 'SYS.1003', /tag/],
    [s3, 502, 'BS.1003', /cannot be reached/],
    [{ ...s3, url: 'http://127.0.0.2:1/bucket' }, 400, 'SYS.1007', /127.0.0.2.*WHARF_DOWNLOAD_ALLOW/],
    [{ ...s3, secretAccessKey: undefined }, 400, 'SYS.1007', /secretAccessKey/],
    [{ type: 'sftp', url: 'sftp://127.0.0.1:1/x', username: 'keeper' }, 502, 'BS.1003', /cannot be reached/],
    [{ type: 'sftp', url: 'sftp://127.0.0.1:1/x' }, 400, 'SYS.1007', /username/],
    [{ type: 'nfs' }, 400, 'SYS.1007', /type/],
  ] as const) {
    const answer = await server.admin.post('/v1/backup-storage', {
      params: { name: 'shelf', type: 'folder', url, ...params },
      userTags: ['blue'],
    })
    assertFailure(answer, { status, code, details })
  }
  assert.deepEqual(await names(server), ['local-folder'])
  assert.deepEqual((await server.admin.get('/v1/user-tags')).body.inventories, [])
  assert.deepEqual(readdirSync(folder), ['file'])
})

test('a storage with packages on it is not deleted', async (t) => {
  const server = await TestServer.start(t)
  const { uuid } = await addFolder(server, makeFolder(t).url)
  const now = server.app.foundation.clock.now()
  const row = {
    uuid: newUuid(),
    name: 'package',
    type: 'storage',
    hostUuid: null,
    managementNodeUuid: null,
    backupStorageUuid: uuid,
    installPath: 'package.tar',
    unzipInstallPath: null,
    md5sum: null,
    status: 'Uploaded',
    size: 1,
    format: 'tar',
    topFolder: null,
    manifest: null,
    createDate: now,
    lastOpDate: now,
  } as const
  const { database } = server.app.foundation
  await database.transaction((tx) => tx.insertInto('softwarePackages').values(row).execute())
  for (const deleteMode of ['Permissive', 'Enforcing'])
    assertFailure(await server.admin.delete(`/v1/backup-storage/${uuid}`, { deleteMode }), {
      status: 409,
      code: 'SYS.1004',
      details: /there are software packages on backup storage shelf/,
    })
  assert.equal((await find(server, uuid))?.status, 'Connected')
})

testOnce('only what is enabled, connected and of this node is used', async (t) => {
  const server = await TestServer.start(t)
  const service = new BackupStorageService(server.app.foundation)
  const { database } = server.app.foundation
  const { uuid } = await addFolder(server, makeFolder(t).url)
  const become = (change: object) => database.transaction((tx) => service.update(tx, uuid, change))
  assert.equal((await service.usable(uuid)).row.name, 'shelf')
  await become({ status: 'Disconnected' })
  await assert.rejects(service.usable(uuid), codeIs('BS.1003', /shelf is Disconnected/))
  await become({ state: 'Disabled' })
  await assert.rejects(service.usable(uuid), codeIs('SYS.1005', /shelf is Disabled; it must be Enabled/))
  await become({ state: 'Enabled', status: 'Connected', managementNodeUuid: newUuid() })
  await assert.rejects(service.usable(uuid), codeIs('SYS.1012', /management node/))
  await assert.rejects(service.reconnect(uuid), codeIs('SYS.1012'))
  await assert.rejects(service.usable(newUuid()), codeIs('SYS.1003'))
})

test('without a given storage, the usable one with the most free space is used', async (t) => {
  const server = await TestServer.start(t)
  const service = new BackupStorageService(server.app.foundation)
  const { database } = server.app.foundation
  const { uuid: small } = await addFolder(server, makeFolder(t).url, { name: 'small' })
  const { uuid: large } = await addFolder(server, makeFolder(t).url, { name: 'large' })
  const first = server.bootstrap.backupStorageUuid
  const become = (uuid: string, change: object) => database.transaction((tx) => service.update(tx, uuid, change))
  await become(first, { availableCapacity: 10 })
  await become(small, { availableCapacity: 20 })
  await become(large, { availableCapacity: 30 })
  const taken = async () => (await service.mostFreeSpace({ isReachable: true })).uuid
  assert.equal(await taken(), large)
  await become(large, { state: 'Disabled' })
  assert.equal(await taken(), small)
  await become(small, { status: 'Disconnected' })
  assert.equal(await taken(), first)
  await become(large, { state: 'Enabled', managementNodeUuid: newUuid() })
  assert.equal(await taken(), first, 'the folder of another node is not available to this node')
  await become(first, { status: 'Connecting' })
  await assert.rejects(taken(), codeIs('SoftwarePackage.1122'))
})

test('probes report a lost storage and its return, each once', async (t) => {
  const server = await TestServer.start(t)
  const service = new BackupStorageService(server.app.foundation)
  t.after(() => service.drivers.closeAll())
  const { folder, url } = makeFolder(t)
  const { uuid } = await addFolder(server, url)
  const probe = async (): Promise<string | undefined> => {
    await service.probeAll()
    return (await find(server, uuid))?.status
  }
  assert.equal(await probe(), 'Connected')
  const { events } = server.app.foundation
  // those of adding it may still be on their way
  while (events.lastSequence < (await events.newestSequence())) await delay(10)
  const published: string[] = []
  events.subscribe(({ uuid: about, type }) => void (about === uuid && published.push(type)))
  rmSync(folder, { recursive: true })
  assert.equal(await probe(), 'Disconnected')
  assert.equal(await probe(), 'Disconnected')
  mkdirSync(folder)
  assert.equal(await probe(), 'Connected')
  await delay(500)
  assert.deepEqual(published, ['Updated', 'Updated'])
  await server.admin.put(`/v1/backup-storage/${uuid}/actions`, { changeBackupStorageState: { stateEvent: 'disable' } })
  rmSync(folder, { recursive: true })
  assert.equal(await probe(), 'Connected', 'a disabled storage is not probed')
})

testOnce('answers and logs contain no credentials', async (t) => {
  const server = await TestServer.start(t, { environment: { WHARF_DOWNLOAD_ALLOW: '127.0.0.1' } })
  const canaries = new Canaries()
  const secretAccessKey = canaries.create('secretAccessKey')
  const url = 's3://bucket?endpoint=http://127.0.0.1:1'
  const params = { name: 'cloud', type: 's3', url, accessKeyId: 'someone', secretAccessKey }
  const { status, text } = await server.admin.post('/v1/backup-storage', { params })
  assert.equal(status, 502, text)

  const { foundation } = server.app
  const service = new BackupStorageService(foundation)
  const { uuid } = await foundation.database.transaction((tx) => service.create(tx, { ...params, type: 's3' }))
  const shown = (await server.admin.get(`/v1/backup-storage/${uuid}`)).text
  const rows = await foundation.database.read.selectFrom('backupStorage').selectAll().execute()
  const stored = Buffer.concat(rows.map(({ sealedCredentials }) => Buffer.from(sealedCredentials ?? [])))
  assert.ok(stored.length > 0)
  for (const place of [text, shown, server.logText, stored, JSON.stringify(rows)])
    assert.deepEqual(canaries.findIn(place), [])
})
