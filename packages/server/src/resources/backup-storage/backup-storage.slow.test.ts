import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { type TestContext, test } from 'node:test'
import { ensureServerKey } from '@wharf/ssh/server-key.ts'
import { assertFailure, Canaries, hostsNeedRoot, startSftpStorage, TestServer } from '@wharf/testkit'
import { BackupStorageService } from './service.ts'

const { signal } = new AbortController()

interface Inventory {
  uuid: string
  status: string
  totalCapacity: number
}

async function start(t: TestContext, options: Parameters<typeof TestServer.start>[1] = {}) {
  const storage = await startSftpStorage(t)
  const server = await TestServer.start(t, options)
  const service = new BackupStorageService(server.app.foundation)
  t.after(() => service.drivers.closeAll())
  const { host, username, root } = storage
  const url = `sftp://${host.address}:${host.port}${root}`
  const add = (more: object) =>
    server.admin.post('/v1/backup-storage', { params: { name: 'vault', type: 'sftp', url, username, ...more } })
  return { storage, host, server, service, add }
}

test('an SFTP server is added, used, receives audit digests, and is refused once its key differs', async (t) => {
  const { storage, host, server, service, add } = await start(t, {
    environment: { WHARF_AUDIT_DIGESTS: 'vault' },
    // audit entries are chained on request
    auditLimits: { digestEntries: 5, chainMs: 3_600_000 },
  })
  const { privateKey, hostKeyFingerprint } = host
  const added = await add({ privateKey, hostKeyFingerprint })
  assert.equal(added.status, 200, added.text)
  const { uuid, status, totalCapacity } = added.body.inventory as Inventory
  assert.equal(status, 'Connected')
  assert.ok(totalCapacity > 0)
  assert.deepEqual(await storage.contents(), [], 'trying it leaves nothing')

  const { driver } = await service.usable(uuid)
  await driver.put(Readable.from(['bytes']), 'some/package.tar', { signal })
  assert.deepEqual(await storage.contents(), ['some/package.tar'])
  assert.equal(await text(driver.get('some/package.tar', { signal })), 'bytes')

  await server.app.foundation.audit.chainNow()
  const { body } = await server.admin.get('/v1/audit-digests?sort=lastSeq')
  const digests = body.inventories as unknown as { document: string; signature: string }[]
  const files = (await storage.contents()).filter((path) => path.startsWith('audit-digests/'))
  assert.ok(digests.length > 0)
  assert.equal(files[0], 'audit-digests/audit-digest-000000000001-000000000005.json')
  const written = await Promise.all(files.map(async (path) => JSON.parse(await text(driver.get(path, { signal })))))
  assert.deepEqual(
    written.map(({ document, signature }) => ({ document, signature })),
    digests.map(({ document, signature }) => ({ document, signature })),
  )

  await host.replaceHostKey()
  const again = await server.admin.put(`/v1/backup-storage/${uuid}/actions`, { reconnectBackupStorage: {} })
  assertFailure(again, { status: 502, code: 'BS.1003', details: /vault cannot be reached/ })
  assert.equal(again.body.error?.cause?.code, 'HOST.1004')
  await assert.rejects(service.usable(uuid), { code: 'BS.1003', message: /vault is Disconnected/ })
})

test('a host that cannot be used leaves no record, and no log contains its key', async (t) => {
  const { host, server, add } = await start(t)
  const { privateKey } = host
  const canaries = new Canaries()
  canaries.watch('privateKey', privateKey.split('\n').slice(2, 4).join(''))
  for (const line of privateKey.split('\n').slice(2, 4)) canaries.watch(line, line)
  for (const [more, cause] of [
    [{ privateKey, hostKeyFingerprint: `SHA256:${'A'.repeat(43)}` }, 'HOST.1004'],
    [{ privateKey, username: 'stranger' }, 'HOST.1005'],
    [{}, 'HOST.1005'],
    [{ privateKey, url: `sftp://${host.address}:${host.port}/no/such/folder` }, undefined],
  ] as const) {
    const answer = await add(more)
    assertFailure(answer, { status: 502, code: 'BS.1003' })
    assert.equal(answer.body.error?.cause?.code, cause, answer.text)
    assert.deepEqual(canaries.findIn(answer.text), [])
  }
  const { body } = await server.admin.get('/v1/backup-storage?fields=name')
  assert.deepEqual(body.inventories, [{ name: 'local-folder' }])
  assert.deepEqual(canaries.findIn(server.logText), [])
})

test('without a key of its own, the key of the server signs in', { skip: hostsNeedRoot }, async (t) => {
  const { storage, host, server, add } = await start(t)
  const { publicKey } = await ensureServerKey(server.app.foundation.settings.data)
  await host.exec(`echo '${publicKey}' >>/etc/ssh/wharf_authorized_keys`)
  const added = await add({})
  assert.equal(added.status, 200, added.text)
  assert.deepEqual(await storage.contents(), [])
})
