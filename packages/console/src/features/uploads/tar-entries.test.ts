import assert from 'node:assert/strict'
import { test } from 'node:test'
import { entriesOf } from './tar-entries.ts'

interface Header {
  readonly name: string
  readonly size?: string
  readonly flag?: string
  readonly prefix?: string
  readonly magic?: string
}

function header({ name, size = '00000000000', flag = '0', prefix = '', magic = 'ustar' }: Header): Buffer {
  const block = Buffer.alloc(512)
  block.write(name, 0)
  block.write(`${size} `, 124)
  block.write(flag, 156)
  block.write(magic, 257)
  block.write(prefix, 345)
  return block
}

const octal = (count: number): string => count.toString(8).padStart(11, '0')

function entry(name: string, content: string, more: Partial<Header> = {}): Buffer {
  const padding = Buffer.alloc(-content.length & 511)
  return Buffer.concat([header({ name, size: octal(content.length), ...more }), Buffer.from(content), padding])
}

/** A stream that delivers chunks of a size, and records that it was cancelled. */
function streamOf(bytes: Buffer, chunkBytes = 1000) {
  const state = { isCancelled: false, readBytes: 0 }
  const stream = new ReadableStream<Uint8Array>({
    pull(controller) {
      const chunk = bytes.subarray(state.readBytes, state.readBytes + chunkBytes)
      state.readBytes += chunk.length
      if (chunk.length === 0) controller.close()
      else controller.enqueue(new Uint8Array(chunk))
    },
    cancel() {
      state.isCancelled = true
    },
  })
  return { stream, state }
}

const limits = { maxReadBytes: 1_000_000, maxEntryBytes: 10_000 }

async function read(bytes: Buffer, chunkBytes?: number, given = limits): Promise<[name: string, text: string][]> {
  const found: [string, string][] = []
  for await (const { name, text } of entriesOf(streamOf(bytes, chunkBytes).stream, given))
    found.push([name, await text()])
  return found
}

const end = Buffer.alloc(1024)
const archive = Buffer.concat([
  entry('a.txt', 'first'),
  entry('dir/', '', { flag: '5' }),
  entry('dir/b.txt', 'zweitens'),
  end,
])

for (const chunkBytes of [1, 7, 511, 512, 513, 100_000])
  test(`reads regular files from chunks of ${chunkBytes} bytes`, async () => {
    assert.deepEqual(await read(archive, chunkBytes), [
      ['a.txt', 'first'],
      ['dir/b.txt', 'zweitens'],
    ])
  })

test('a long name is joined from its two parts', async () => {
  const bytes = Buffer.concat([entry('wharf.json', '{}', { prefix: 'some/folder' }), end])
  assert.deepEqual(await read(bytes), [['some/folder/wharf.json', '{}']])
})

test('an old archive marks regular files with a zero byte', async () => {
  assert.deepEqual(await read(Buffer.concat([entry('a', 'x', { flag: '\0' }), end])), [['a', 'x']])
})

test('links and directories are skipped', async () => {
  const bytes = Buffer.concat([
    entry('link', '', { flag: '2' }),
    entry('hard', '', { flag: '1' }),
    entry('a', 'x'),
    end,
  ])
  assert.deepEqual(await read(bytes), [['a', 'x']])
})

test('an empty file has an empty text', async () => {
  assert.deepEqual(await read(Buffer.concat([entry('a', ''), end])), [['a', '']])
})

test('a large entry is skipped', async () => {
  const bytes = Buffer.concat([entry('large', 'x'.repeat(20_000)), entry('a', 'x'), end])
  assert.deepEqual(await read(bytes), [['a', 'x']])
})

test('reading ends after the limit', async () => {
  const bytes = Buffer.concat([entry('large', 'x'.repeat(50_000)), entry('late', 'x'), end])
  const { stream, state } = streamOf(bytes)
  const given = { maxReadBytes: 20_000, maxEntryBytes: 1000 }
  for await (const { name } of entriesOf(stream, given)) assert.fail(`read ${name}`)
  assert.ok(state.readBytes < 30_000, `${state.readBytes}`)
  assert.ok(state.isCancelled)
})

const broken: [name: string, bytes: Buffer][] = [
  ['nothing', Buffer.alloc(0)],
  ['zeros', Buffer.alloc(2048)],
  ['text', Buffer.from('not a tar archive '.repeat(100))],
  ['half a header', entry('a', 'x').subarray(0, 300)],
  ['a header without its content', entry('a', 'x'.repeat(600)).subarray(0, 700)],
  ['another magic', entry('a', 'x', { magic: 'xxxxx' })],
  ['a size that is not octal', entry('a', 'x', { size: 'zzzzzzzzzzz' })],
]
for (const [name, bytes] of broken)
  test(`${name}: ends without an entry`, async () => assert.deepEqual(await read(bytes), []))

test('the stream is cancelled when the reader stops early', async () => {
  const { stream, state } = streamOf(Buffer.concat([archive, Buffer.alloc(100_000)]))
  for await (const { name } of entriesOf(stream, limits)) {
    assert.equal(name, 'a.txt')
    break
  }
  assert.ok(state.isCancelled)
})
