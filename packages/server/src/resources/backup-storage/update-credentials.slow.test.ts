import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { after, test } from 'node:test'
import {
  type Answer,
  assertFailure,
  Canaries,
  hostsNeedRoot,
  PackageFixture,
  recordIn,
  reverseCleanup,
  runProgram,
  startSftpStorage,
} from '@wharf/testkit'
import { BackupStorageService } from './service.ts'
import { FakeBucket } from './testing/fake-bucket.ts'

const cleanup = reverseCleanup({ after })
const fixture = await PackageFixture.start(cleanup)
const { server } = fixture
const service = new BackupStorageService(server.app.foundation)
cleanup.after(() => service.drivers.closeAll())
const folder = mkdtempSync(join(tmpdir(), 'wharf-credentials-'))
cleanup.after(async () => rmSync(folder, { recursive: true }))

/** A storage with a package, whose credentials are changed. */
class ChangedStorage {
  readonly uuid: string

  private constructor(uuid: string) {
    this.uuid = uuid
  }

  static async add(params: object): Promise<ChangedStorage> {
    const added = await server.admin.post('/v1/backup-storage', { params })
    assert.equal(added.status, 200, added.text)
    const { uuid } = added.body.inventory as { uuid: string }
    const url = fixture.source.serve('package', Buffer.from('bytes of a package'))
    const stored = await fixture.toStorage({ url, installPath: 'some/package', backupStorageUuid: uuid })
    assert.equal(recordIn(stored).status, 'Uploaded', stored.text)
    return new ChangedStorage(uuid)
  }

  update(fields: object): Promise<Answer> {
    return server.admin.put(`/v1/backup-storage/${this.uuid}/actions`, { updateBackupStorage: fields })
  }

  async #row() {
    const { read } = server.app.foundation.database
    return read.selectFrom('backupStorage').selectAll().where('uuid', '=', this.uuid).executeTakeFirstOrThrow()
  }

  /** Credentials that do not work are not stored, and the former ones work. */
  async assertRefused(
    fields: object,
    expected: Parameters<typeof assertFailure>[1] & { readonly cause?: string },
  ): Promise<void> {
    const before = await this.#row()
    const answer = await this.update({ name: 'changed', ...fields })
    assertFailure(answer, expected)
    if (expected.cause) assert.equal(answer.body.error?.cause?.code, expected.cause, answer.text)
    assert.deepEqual(await this.#row(), before)
    await this.assertReadable()
  }

  async assertStored(fields: object): Promise<void> {
    const answer = await this.update({ name: 'changed', ...fields })
    assert.equal(answer.status, 200, answer.text)
    assert.partialDeepStrictEqual(answer.body.inventory, { name: 'changed', status: 'Connected' })
  }

  /** With a new connection. */
  async assertReadable(): Promise<void> {
    await service.drivers.closeAll()
    const { driver } = await service.usable(this.uuid)
    const { signal } = new AbortController()
    assert.equal(await text(driver.get('some/package', { signal })), 'bytes of a package')
  }
}

async function makeKey(name: string): Promise<{ privateKey: string; publicKey: string }> {
  const file = join(folder, name)
  await runProgram('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-C', name, '-f', file])
  return { privateKey: readFileSync(file, 'utf8'), publicKey: readFileSync(`${file}.pub`, 'utf8').trim() }
}

test('credentials of an SFTP server are tried before they are stored', async () => {
  const { host, username, root } = await startSftpStorage(cleanup)
  const { address, port, privateKey } = host
  const storage = await ChangedStorage.add({
    name: 'vault',
    type: 'sftp',
    url: `sftp://${address}:${port}${root}`,
    username,
    privateKey,
  })
  const [stranger, next] = [await makeKey('stranger'), await makeKey('next')]
  const canaries = new Canaries()
  for (const key of [stranger, next]) canaries.watch('a private key', key.privateKey.split('\n')[2] ?? '')
  const refused = { status: 502, code: 'BS.1003', cause: 'HOST.1005' } as const
  await storage.assertRefused({ privateKey: stranger.privateKey }, refused)
  await storage.assertRefused({ username: 'stranger' }, refused)
  // the key of the server, which the host does not know
  await storage.assertRefused({ clear: ['privateKey'] }, refused)
  const other = `SHA256:${'A'.repeat(43)}`
  await storage.assertRefused({ hostKeyFingerprint: other }, { ...refused, cause: 'HOST.1004' })
  await storage.assertRefused({ url: `sftp://${address}:${port}${root}/none` }, { status: 502, code: 'BS.1003' })

  const keys = hostsNeedRoot ? join(dirname(host.privateKeyPath), 'authorized_keys') : '/etc/ssh/wharf_authorized_keys'
  await host.exec(`echo '${next.publicKey}' >>${keys}`)
  await storage.assertStored({ privateKey: next.privateKey })
  // the former key no longer works
  await host.exec(`echo '${next.publicKey}' >${keys}`)
  await storage.assertReadable()
  assert.deepEqual(canaries.findIn(server.logText), [])
})

test('credentials of a bucket are tried before they are stored', async () => {
  const bucket = new FakeBucket()
  const endpoint = `http://127.0.0.1:${await bucket.start(cleanup)}`
  bucket.secrets.set('first', 'secret of the first')
  const url = `s3://packages?endpoint=${endpoint}`
  const first = { accessKeyId: 'first', secretAccessKey: 'secret of the first' }
  const storage = await ChangedStorage.add({ name: 'bucket', type: 's3', url, ...first })
  const refused = { status: 502, code: 'BS.1500', details: /access key/ } as const
  await storage.assertRefused({ secretAccessKey: 'another' }, refused)
  await storage.assertRefused({ accessKeyId: 'unknown' }, refused)
  await storage.assertRefused({ accessKeyId: 'second', secretAccessKey: 'secret of the second' }, refused)
  const empty = {
    status: 409,
    code: 'SYS.1006',
    details: /does not contain software package demo \(some\/package\)/,
  } as const
  await storage.assertRefused({ url: `s3://packages/elsewhere?endpoint=${endpoint}` }, empty)

  bucket.secrets.set('second', 'secret of the second')
  await storage.assertStored({ accessKeyId: 'second', secretAccessKey: 'secret of the second' })
  bucket.secrets.delete('first')
  await storage.assertReadable()
  assert.deepEqual([...bucket.objects.keys()], ['/packages/some/package'])
  assert.ok(!server.logText.includes('secret of the'))
})
