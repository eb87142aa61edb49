import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { runProgram } from '@wharf/testkit'
import { checkedNewStorage, type NewStorage } from './new-storage.ts'

const place = { data: '/var/lib/wharf', downloadAllow: [] }
const folder = { name: 'n', type: 'folder', url: 'file:///srv/packages' } as const
const sftp = { name: 'n', type: 'sftp', url: 'sftp://host/path', username: 'keeper' } as const
const s3 = { name: 'n', type: 's3', url: 's3://bucket', accessKeyId: 'id', secretAccessKey: 'secret' } as const

for (const storage of [folder, sftp, s3, { ...s3, region: 'eu-west-1' }] satisfies NewStorage[])
  test(`${storage.type} takes ${Object.keys(storage).join(', ')}`, async () => {
    assert.deepEqual(await checkedNewStorage(storage, place), storage)
  })

for (const { storage, rule } of [
  { storage: { ...folder, username: 'keeper' }, rule: /username belongs to type sftp, not to folder/ },
  { storage: { ...folder, secretAccessKey: 'secret' }, rule: /secretAccessKey belongs to type s3, not to folder/ },
  { storage: { ...sftp, accessKeyId: 'id' }, rule: /accessKeyId belongs to type s3, not to sftp/ },
  { storage: { ...s3, hostKeyFingerprint: 'x' }, rule: /hostKeyFingerprint belongs to type sftp, not to s3/ },
  { storage: { ...sftp, username: undefined }, rule: /username is missing; type sftp needs it/ },
  { storage: { ...s3, accessKeyId: undefined }, rule: /accessKeyId is missing; type s3 needs it/ },
  { storage: { ...s3, secretAccessKey: undefined }, rule: /secretAccessKey is missing; type s3 needs it/ },
  { storage: { ...s3, url: 'http://169.254.169.254/bucket' }, rule: /url leads to 169.254.169.254: a cloud metadata/ },
  { storage: { ...s3, url: 's3://bucket?endpoint=https://0x7f.1:9000' }, rule: /url leads to 127.0.0.1: a loopback/ },
  { storage: { ...folder, url: 'sftp://host/path' }, rule: /with type folder the url is/ },
  { storage: { ...sftp, url: 'file:///srv' }, rule: /with type sftp the url is/ },
  { storage: { ...folder, url: 'file:///var/lib/wharf' }, rule: /data folder/ },
  { storage: { ...folder, url: 'file:///var/lib/wharf/packages' }, rule: /data folder/ },
  { storage: { ...folder, url: 'file:///var/lib' }, rule: /data folder/ },
  { storage: { ...sftp, url: 'sftp://-oProxyCommand=x/path' }, rule: /address/ },
  { storage: { ...sftp, username: '-l root' }, rule: /username/ },
  { storage: { ...sftp, hostKeyFingerprint: 'SHA256:short' }, rule: /hostKeyFingerprint/ },
  { storage: { ...sftp, privateKey: 'not a key' }, rule: /privateKey/ },
] satisfies { storage: NewStorage; rule: RegExp }[])
  test(`refused: ${rule.source}`, async () => {
    await assert.rejects(checkedNewStorage(storage, place), { code: 'SYS.1007', message: rule })
  })

test('a folder whose name only begins like that of the data folder is allowed', async () => {
  await assert.doesNotReject(checkedNewStorage({ ...folder, url: 'file:///var/lib/wharf-packages' }, place))
})

test('a key that a form changed is returned in the format of ssh', async (t) => {
  const home = mkdtempSync(join(tmpdir(), 'wharf-key-'))
  t.after(() => rmSync(home, { recursive: true }))
  await runProgram('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', join(home, 'key')])
  const key = readFileSync(join(home, 'key'), 'utf8')
  const { privateKey } = await checkedNewStorage({ ...sftp, privateKey: key.trim().replaceAll('\n', '\r\n') }, place)
  assert.equal(privateKey, key)
})
