import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { gzipSync, zstdCompressSync } from 'node:zlib'
import { file, tarOf } from '@wharf/testkit/packages/archives.ts'
import fc from 'fast-check'
import { extractFiles, type FileConsumer } from './extraction.ts'

const { signal } = new AbortController()

/** In pieces of this size. */
const inPieces = (bytes: Buffer, size: number): Readable =>
  Readable.from(
    Array.from({ length: Math.ceil(bytes.length / size) }, (_, n) => bytes.subarray(n * size, (n + 1) * size)),
  )

const wrappings = { tar: (tar: Buffer) => tar, 'tar.gz': gzipSync, 'tar.zst': zstdCompressSync } as const

test('extracts the requested files byte for byte, with any chunk size', async () => {
  const contents = fc.dictionary(fc.stringMatching(/^[a-z]{1,8}$/), fc.uint8Array({ maxLength: 3000 }), { maxKeys: 6 })
  const format = fc.constantFrom(...(Object.keys(wrappings) as (keyof typeof wrappings)[]))
  await fc.assert(
    fc.asyncProperty(contents, format, fc.integer({ min: 1, max: 5000 }), async (all, wrapping, size) => {
      const names = Object.keys(all)
      const tar = tarOf(...names.map((name) => ({ ...file(`./images/${name}`), data: Buffer.from(all[name] ?? []) })))
      const wanted = names.filter((_, index) => index % 2 === 0)
      const got: Record<string, Buffer> = {}
      const bytes = inPieces(wrappings[wrapping](tar), size)
      await extractFiles(
        { format: wrapping, bytes },
        wanted.map((name) => `images/${name}`),
        {
          signal,
          consume: async (path, data) => {
            got[path.slice('images/'.length)] = await buffer(data)
          },
        },
      )
      assert.deepEqual(got, Object.fromEntries(wanted.map((name) => [name, Buffer.from(all[name] ?? [])])))
    }),
    { numRuns: 60 },
  )
})

test('reads no faster than the consumer', async () => {
  const big = tarOf({ ...file('big'), data: Buffer.alloc(32 * 2 ** 20, 1) })
  let given = 0
  async function* pieces() {
    for (let at = 0; at < big.length; at += 65536) {
      given += 65536
      yield big.subarray(at, at + 65536)
    }
  }
  let sawAtMost = 0
  await extractFiles({ format: 'tar', bytes: Readable.from(pieces(), { highWaterMark: 1 }) }, ['big'], {
    signal,
    consume: async (_path, data) => {
      await delay(50)
      sawAtMost = given
      for await (const _ of data);
    },
  })
  assert.ok(sawAtMost < 4 * 2 ** 20, String(sawAtMost))
})

const consume: FileConsumer = async (_path, data) => {
  for await (const _ of data);
}
const two = tarOf(file('a', 'first'), file('b', 'second'))
for (const { name, bytes, paths, expected } of [
  { name: 'a missing file', bytes: two, paths: ['c'], expected: /"c" is not in it/ },
  { name: 'a duplicate file', bytes: tarOf(file('a'), file('./a')), paths: ['a'], expected: /twice/ },
  {
    name: 'a hard link',
    bytes: tarOf(file('b'), { name: 'a', type: '1', link: 'b' }),
    paths: ['a'],
    expected: /is a hard link/,
  },
  {
    name: 'a truncated archive',
    bytes: two.subarray(0, 1600),
    paths: ['b'],
    expected: /ends before its end mark/,
  },
])
  test(`refuses ${name}`, async () => {
    const archive = { format: 'tar' as const, bytes: inPieces(bytes, 512) }
    await assert.rejects(extractFiles(archive, paths, { signal, consume }), expected)
  })

for (const format of ['tar', 'tar.gz'] as const)
  test(`a ${format} that breaks off, or a consumer that fails, ends it with the reason`, async () => {
    const whole = wrappings[format](tarOf({ ...file('a'), data: Buffer.alloc(4 * 2 ** 20, 'x') }))
    async function* broken() {
      yield whole.subarray(0, whole.length >> 1)
      throw new Error('connection lost')
    }
    await assert.rejects(
      extractFiles({ format, bytes: Readable.from(broken()) }, ['a'], { signal, consume }),
      /connection lost/,
    )
    const stopping: FileConsumer = async () => {
      throw new Error('no space')
    }
    await assert.rejects(
      extractFiles({ format, bytes: inPieces(whole, 65536) }, ['a'], { signal, consume: stopping }),
      /no space/,
    )
    const stop = AbortSignal.abort(new Error('stopped'))
    await assert.rejects(
      extractFiles({ format, bytes: inPieces(whole, 65536) }, ['a'], { signal: stop, consume }),
      /stopped/,
    )
  })
