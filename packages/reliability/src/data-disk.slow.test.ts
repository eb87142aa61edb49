import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { createReadStream, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { type TestContext, test } from 'node:test'
import { backup } from '@wharf/database/backup.ts'
import { diskReserveBytes, spaceIn } from '@wharf/platform/data-disk.ts'
import { FolderDriver } from '@wharf/server/resources/backup-storage/drivers/folder-driver.ts'
import { openLocalDriver } from '@wharf/server/resources/hosts/local-driver.ts'
import { writeSpool } from '@wharf/server/resources/software-packages/transfer.ts'
import { testDatabase } from '@wharf/testkit'

const MiB = 1024 * 1024
const skip = process.getuid?.() === 0 ? false : 'mounting a small file system needs root'

/** A data folder on a file system that has 24 MiB, of which 16 are reserved. */
function smallData(t: TestContext): string {
  const data = mkdtempSync(join(tmpdir(), 'wharf-disk-'))
  assert.equal(spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=24m', 'tmpfs', data]).status, 0)
  t.after(() => {
    spawnSync('umount', [data])
    rmSync(data, { recursive: true })
  })
  mkdirSync(join(data, 'target'))
  return data
}

const freeBytes = (folder: string): number => {
  const { bavail, bsize } = statfsSync(folder)
  return bavail * bsize
}

/** An endless source. */
const endless = (): Readable =>
  new Readable({
    read() {
      this.push(Buffer.alloc(64 * 1024, 'x'))
    },
  })

const refusal = { code: 'SoftwarePackage.1121', message: /MiB free.*reserved for the database.*free space there/ }
const { signal } = new AbortController()

const writers: [string, (data: string, target: string, bytes: Readable) => Promise<void>][] = [
  ['a spooled zip', (_, target, bytes) => writeSpool(bytes, join(target, 'zip'))],
  [
    'a package on storage in a folder',
    (data, target, bytes) =>
      new FolderDriver({ root: target, storage: 'backup storage x', data }).put(bytes, 'a', { signal }),
  ],
  [
    'a package on this machine',
    (data, target, bytes) => openLocalDriver(data).put(bytes, join(target, 'a'), { signal }),
  ],
]

for (const [name, write] of writers)
  test(`${name} stops at the reserve of the data disk and leaves nothing`, { skip }, async (t) => {
    const data = smallData(t)
    const target = join(data, 'target')
    let least = Number.POSITIVE_INFINITY
    const watch = setInterval(() => {
      least = Math.min(least, freeBytes(data))
    }, 1)
    await assert.rejects(write(data, target, endless()), refusal)
    clearInterval(watch)
    assert.ok(least > diskReserveBytes - 2 * MiB, `${least} bytes were left`)
    assert.deepEqual(readdirSync(target), [])
    await write(data, target, Readable.from([Buffer.alloc(MiB)]))
    assert.ok(freeBytes(data) < 24 * MiB)
  })

test('refuses a zip of a known size before it reads a byte', { skip }, async (t) => {
  const data = smallData(t)
  const bytes = createReadStream('/dev/zero')
  await assert.rejects(writeSpool(bytes, join(data, 'target', 'zip'), 10 * MiB), refusal)
  assert.equal(bytes.bytesRead, 0)
  assert.ok(bytes.destroyed)
})

test('a backup beside the data is refused before it takes the reserve', { skip }, async (t) => {
  const data = smallData(t)
  const file = join(data, 'target', 'backup')
  const database = await testDatabase(t)
  await writeSpool(Readable.from([Buffer.alloc(7.9 * MiB)]), join(data, 'fill'))
  await database.transaction(async (tx) => {
    for (let index = 0; index < 40; index++) {
      const value = Buffer.from(crypto.getRandomValues(new Uint8Array(48_000))).toString('base64')
      await tx
        .insertInto('settings')
        .values({ name: `filler ${index}`, value })
        .execute()
    }
  })
  await assert.rejects(backup(database, file, { keyFingerprint: 'a', version: '1', data }), /reserved for the database/)
  assert.deepEqual([existsSync(file), existsSync(`${file}.part`)], [false, false])
})

test('reserves nothing on a disk other than the data disk', { skip }, async (t) => {
  const [data, other] = [smallData(t), smallData(t)]
  assert.equal(await spaceIn(other, data), undefined)
  assert.notEqual(await spaceIn(join(data, 'not', 'yet', 'there'), data), undefined)
})
