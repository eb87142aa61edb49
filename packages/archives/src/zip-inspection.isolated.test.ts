import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { lstat, mkdir, mkdtemp, readdir, readFile, readlink, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { type TestContext, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { type ZipItem, zipOf } from '@wharf/testkit/packages/archives.ts'
import { inspectZip } from './zip-inspection.ts'
import { zipToTar } from './zip-to-tar.ts'

const { signal } = new AbortController()
const limits = { availableBytes: 2 ** 40, signal }

async function zipFile(t: TestContext, items: readonly ZipItem[]) {
  const folder = await mkdtemp(join(tmpdir(), 'zip-'))
  t.after(() => rm(folder, { recursive: true, force: true }))
  const file = join(folder, 'a.zip')
  await writeFile(file, zipOf(items))
  return { folder, file }
}

const openFiles = async (): Promise<number> => (await readdir('/proc/self/fd').catch(() => [])).length

test('converts to a tar with the same content, without setuid bits', async (t) => {
  const large = randomBytes(3_000_000)
  const longName = `${'folder-with-a-long-name/'.repeat(20)}文件.txt`
  const { folder, file } = await zipFile(t, [
    { name: 'bin/', mode: 0o040755 },
    { name: 'bin/run.sh', data: '#!/bin/sh\n', mode: 0o106755, method: 8 },
    { name: 'large', data: large, method: 8, mode: 0o100600 },
    { name: 'stored', data: large },
    { name: longName, data: 'long' },
    { name: 'empty', data: '' },
    { name: 'link', data: 'bin/run.sh', mode: 0o120777 },
    { name: 'long-link', data: longName, mode: 0o120777 },
  ])
  assert.equal((await inspectZip(file, limits)).entries, 8)
  await pipeline(zipToTar(file, signal), createWriteStream(join(folder, 'a.tar')))
  const out = join(folder, 'out')
  await mkdir(out)
  execFileSync('tar', ['-xpf', join(folder, 'a.tar'), '-C', out])
  assert.equal((await lstat(join(out, 'bin/run.sh'))).mode & 0o7777, 0o755)
  assert.equal((await lstat(join(out, 'large'))).mode & 0o7777, 0o644)
  assert.ok((await readFile(join(out, 'large'))).equals(large))
  assert.ok((await readFile(join(out, 'stored'))).equals(large))
  assert.equal(await readFile(join(out, longName), 'utf8'), 'long')
  assert.equal(await readlink(join(out, 'link')), 'bin/run.sh')
  assert.equal(await readFile(join(out, 'long-link'), 'utf8'), 'long')
})

test('finds the manifest under the only top folder', async (t) => {
  const manifest = JSON.stringify({ name: 'hello', version: '1', type: 'demo' })
  const { file } = await zipFile(t, [{ name: 'hello-1/wharf.json', data: manifest, method: 8 }, { name: 'hello-1/x' }])
  const { format, topFolder, manifest: found } = await inspectZip(file, limits)
  assert.deepEqual({ format, topFolder, name: found?.name }, { format: 'zip', topFolder: 'hello-1', name: 'hello' })
})

test('a missing file is not an error of the archive', async () => {
  await assert.rejects(inspectZip('/missing/a.zip', limits), { code: 'ENOENT' })
})

test('leaves nothing open when it is accepted, refused, aborted or abandoned', async (t) => {
  const large = { name: 'large', data: randomBytes(1_000_000), method: 8 }
  const { file } = await zipFile(t, [large, { name: 'x', data: 'hello' }])
  const { file: hostile } = await zipFile(t, [large, { name: '../x' }])
  const { file: broken } = await zipFile(t, [
    large,
    { name: 'x', data: 'hello', declared: { crc: 1 }, local: { crc: 1 } },
  ])
  const before = await openFiles()
  await inspectZip(file, limits)
  await assert.rejects(inspectZip(hostile, limits))
  await assert.rejects(inspectZip(broken, limits))
  const stopped = AbortSignal.abort(new Error('stop'))
  await assert.rejects(inspectZip(file, { ...limits, signal: stopped }), /stop/)
  for await (const _ of zipToTar(file, signal)) break
  // a file is closed in the thread pool
  for (let tries = 0; tries < 500 && (await openFiles()) > before; tries++) await delay(10)
  assert.equal(await openFiles(), before)
})

test('a signal stops the conversion', async (t) => {
  const { file } = await zipFile(t, [{ name: 'large', data: randomBytes(5_000_000) }])
  const controller = new AbortController()
  const read = async () => {
    for await (const _ of zipToTar(file, controller.signal)) controller.abort()
  }
  await assert.rejects(read(), { name: 'AbortError' })
})
