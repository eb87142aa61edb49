import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { type TestContext, test } from 'node:test'
import type { BackupStorageDriver } from '../../backup-storage/driver.ts'
import type { HostDriver } from '../../hosts/driver.ts'
import { openLocalDriver } from '../../hosts/local-driver.ts'
import { copyToHost } from './copy-to-host.ts'

const bytes = Buffer.alloc(300_000, 'image')
const md5Sum = createHash('md5').update(bytes).digest('hex')
const image = { name: 'gateway', md5Sum, actualSize: bytes.length, installPath: 'i' }

/** This machine as the host, and a storage that contains these bytes. */
function setup(t: TestContext, stored = bytes) {
  const folder = mkdtempSync(join(tmpdir(), 'copies-'))
  const host = openLocalDriver()
  t.after(async () => {
    await host.close()
    rmSync(folder, { recursive: true })
  })
  const path = join(folder, 'images', 'one')
  const storage = { get: () => Readable.from([stored]) } as unknown as BackupStorageDriver
  const copy = (vm: string, by: HostDriver = host) =>
    copyToHost(image, {
      storage,
      host: by,
      path,
      partialPath: join(folder, 'vms', vm, 'image'),
      signal: t.signal,
      log: () => {},
      progress: () => {},
    })
  return { folder, path, host, copy }
}

test('several VMs may copy the same image at the same time', async (t) => {
  const { folder, path, copy } = setup(t)
  await Promise.all(['a', 'b', 'c', 'd'].map((vm) => copy(vm)))
  assert.ok(readFileSync(path).equals(bytes))
  assert.deepEqual(readdirSync(join(folder, 'images')), ['one'])
  for (const vm of readdirSync(join(folder, 'vms'))) assert.deepEqual(readdirSync(join(folder, 'vms', vm)), [])
})

test('a job that found no image does not remove the one that another job copied meanwhile', async (t) => {
  const { path, host, copy } = setup(t)
  const first = Promise.withResolvers<void>()
  const isMissing: boolean[] = []
  const late: HostDriver = {
    run: (...call) => host.run(...call),
    isConnected: false,
    endHooks: (...call) => host.endHooks(...call),
    put: (...call) => host.put(...call),
    get: (...call) => host.get(...call),
    usage: (...call) => host.usage(...call),
    inspectPath: (...call) => host.inspectPath(...call),
    facts: (...call) => host.facts(...call),
    measure: (...call) => host.measure(...call),
    ping: (...call) => host.ping(...call),
    close: () => host.close(),
    remove: async (...call) => {
      first.resolve(await copy('first'))
      await host.remove(...call)
      isMissing.push(!existsSync(path))
    },
  }
  await Promise.all([copy('late', late), first.promise])
  assert.deepEqual(isMissing, [false])
  assert.ok(readFileSync(path).equals(bytes))
})

test('an image that was modified on the host is replaced', async (t) => {
  const { path, copy } = setup(t)
  await copy('a')
  writeFileSync(path, 'changed')
  await copy('b')
  assert.ok(readFileSync(path).equals(bytes))
})

test('the partial file of a killed attempt is replaced', async (t) => {
  const { folder, host, path, copy } = setup(t)
  const own = join(folder, 'vms', 'a')
  await host.run(['mkdir', '-p', own], { signal: t.signal })
  writeFileSync(join(own, 'image'), 'half')
  await copy('a')
  assert.ok(readFileSync(path).equals(bytes))
  assert.deepEqual(readdirSync(own), [])
})

test('bytes with another checksum never get the name of the image', async (t) => {
  const { folder, copy } = setup(t, Buffer.alloc(bytes.length, 'other'))
  await assert.rejects(copy('a'), { code: 'SYS.1016', message: /on backup storage instead of/ })
  assert.deepEqual(readdirSync(join(folder, 'images')), [])
})
