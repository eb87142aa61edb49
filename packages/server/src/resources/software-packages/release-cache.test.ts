import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { type TestContext, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import type { Log } from '@wharf/platform/log.ts'
import { ReleaseCache } from './release-cache.ts'

const log = { warn() {} } as unknown as Log
const signal = new AbortController().signal
const release = (text: string) => ({ sha256: createHash('sha256').update(text).digest('hex'), size: text.length })

async function cacheIn(t: TestContext, releaseCacheBytes: number) {
  const data = await mkdtemp(join(tmpdir(), 'wharf-cache-'))
  t.after(() => rm(data, { recursive: true }))
  const open = async () => {
    const cache = new ReleaseCache({ settings: { data, releaseCacheBytes }, log })
    await cache.start()
    return cache
  }
  const files = () => readdir(join(data, 'release-cache'))
  return { cache: await open(), reopen: open, files, folder: join(data, 'release-cache') }
}

/** Counts how often backup storage is read. */
const storageOf = (text: string) => {
  const storage = {
    reads: 0,
    fetch: async () => {
      storage.reads++
      return Readable.from([Buffer.from(text)])
    },
  }
  return storage
}

test('many users at once read backup storage once', async (t) => {
  const { cache } = await cacheIn(t, 100)
  const storage = storageOf('hello')
  const used = await Promise.all([...Array(16)].map(() => cache.use(release('hello'), storage.fetch, signal)))
  for (const { file } of used) assert.equal(await readFile(file, 'utf8'), 'hello')
  assert.equal(storage.reads, 1)
})

test('bytes with another digest are never used', async (t) => {
  const { cache, files } = await cacheIn(t, 100)
  await assert.rejects(cache.use(release('hello'), storageOf('hellO').fetch, signal), { code: 'SYS.1016' })
  assert.deepEqual(await files(), [])
})

test('an entry that was damaged is discarded and read again, in this process and after a restart', async (t) => {
  const { cache, reopen, folder } = await cacheIn(t, 100)
  const storage = storageOf('hello')
  const file = join(folder, release('hello').sha256)
  await cache.use(release('hello'), storage.fetch, signal)
  await delay(5)
  await writeFile(file, 'hellO')
  assert.equal(await readFile((await cache.use(release('hello'), storage.fetch, signal)).file, 'utf8'), 'hello')
  assert.equal(storage.reads, 2)
  await writeFile(file, 'HELLO')
  const again = await reopen()
  assert.equal(await readFile((await again.use(release('hello'), storage.fetch, signal)).file, 'utf8'), 'hello')
  assert.equal(storage.reads, 3)
})

test('an intact entry survives a restart', async (t) => {
  const { cache, reopen } = await cacheIn(t, 100)
  const storage = storageOf('hello')
  await cache.use(release('hello'), storage.fetch, signal)
  await (await reopen()).use(release('hello'), storage.fetch, signal)
  assert.equal(storage.reads, 1)
})

test('the least recently used entries make space, but not those in use', async (t) => {
  const { cache, files } = await cacheIn(t, 10)
  const used = await cache.use(release('aaaa'), storageOf('aaaa').fetch, signal)
  await using _b = await cache.use(release('bbbb'), storageOf('bbbb').fetch, signal)
  await used[Symbol.asyncDispose]()
  await delay(2)
  const storage = storageOf('aaaa')
  {
    await using _again = await cache.use(release('aaaa'), storage.fetch, signal)
    await cache.use(release('cccc'), storageOf('cccc').fetch, signal)
    assert.equal((await files()).length, 3, 'all are in use')
  }
  assert.equal(storage.reads, 0)
  await cache.use(release('dddd'), storageOf('dddd').fetch, signal)
  assert.ok(!(await files()).includes(release('aaaa').sha256))
})

test('a release larger than the cache is not accepted', async (t) => {
  const { cache } = await cacheIn(t, 4)
  assert.ok(cache.accepts(4))
  assert.ok(!cache.accepts(5))
})

test('a caller that is aborted does not end the read of the others', async (t) => {
  const { cache } = await cacheIn(t, 100)
  const gate = Promise.withResolvers<void>()
  const fetch = async () =>
    Readable.from(
      (async function* () {
        yield Buffer.from('hel')
        await gate.promise
        yield Buffer.from('lo')
      })(),
    )
  const abort = new AbortController()
  const first = cache.use(release('hello'), fetch, abort.signal)
  const second = cache.use(release('hello'), fetch, signal)
  abort.abort(new Error('cancelled'))
  await assert.rejects(first, { message: 'cancelled' })
  gate.resolve()
  assert.equal(await readFile((await second).file, 'utf8'), 'hello')
})
