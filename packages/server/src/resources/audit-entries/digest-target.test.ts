import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { test } from 'node:test'
import type { BackupStorageDriver } from '../backup-storage/driver.ts'
import { digestTarget } from './digest-target.ts'

type TargetDeps = Parameters<typeof digestTarget>[1]

test('a folder keeps what exists: an equal file is accepted, anything else is refused and not read beyond the text', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'wharf-target-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const target = digestTarget(folder, {} as TargetDeps) ?? assert.fail()
  assert.equal(await target.write('a', 'ä digest'), true)
  assert.deepEqual(
    [readFileSync(join(folder, 'a'), 'utf8'), statSync(join(folder, 'a')).mode & 0o777],
    ['ä digest', 0o600],
  )
  assert.equal(await target.write('a', 'ä digest'), true)
  assert.equal(await target.write('a', 'a digest'), false)
  writeFileSync(join(folder, 'long'), 'ä digest and more')
  assert.equal(await target.write('long', 'ä digest'), false)
  execFileSync('mkfifo', [join(folder, 'pipe')])
  assert.equal(await target.write('pipe', 'ä digest'), false)
  mkdirSync(join(folder, 'folder'))
  assert.equal(await target.write('folder', 'ä digest'), false)
})

test('a folder that does not exist is not created: what should be mounted there is missing', async (t) => {
  const root = mkdtempSync(join(tmpdir(), 'wharf-target-'))
  t.after(() => rmSync(root, { recursive: true }))
  const folder = join(root, 'missing')
  const target = digestTarget(folder, {} as TargetDeps) ?? assert.fail()
  await assert.rejects(target.check(), /^OperatorError: the folder does not exist; create it, or mount/)
  await assert.rejects(target.write('a', 'digest'))
  assert.ok(!existsSync(folder))
})

test('a backup storage keeps what exists, and is not read beyond the text', async () => {
  const files = new Map<string, Buffer>()
  const driver: Partial<BackupStorageDriver> = {
    exists: async (path) => files.has(path),
    put: async (bytes, path) => void files.set(path, await buffer(bytes)),
    get(path, { start, end = assert.fail() }) {
      const bytes = files.get(path) ?? assert.fail()
      return Readable.from([bytes.subarray(start, end + 1)])
    },
  }
  const backupStorage = { findByName: async () => 'uuid', usable: async () => ({ driver }) }
  const target = digestTarget('vault', { backupStorage } as unknown as TargetDeps) ?? assert.fail()
  assert.equal(await target.write('a', 'ä digest'), true)
  assert.equal(await target.write('a', 'ä digest'), true)
  for (const other of ['a digest', 'ä diges', 'ä digest and more']) assert.equal(await target.write('a', other), false)
  assert.equal(String(files.get('audit-digests/a')), 'ä digest')
})
