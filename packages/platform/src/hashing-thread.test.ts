import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, beforeEach, test } from 'node:test'
import { bufferBytes } from './buffer-pool.ts'
import { HashingThread } from './hashing-thread.ts'

const digest = (algorithm: string, bytes: Buffer): string => createHash(algorithm).update(bytes).digest('hex')
const md5Of = (bytes: Buffer) => ({ md5: digest('md5', bytes) })
const bothOf = (bytes: Buffer) => ({ md5: digest('md5', bytes), sha256: digest('sha256', bytes) })
const folder = mkdtempSync(join(tmpdir(), 'wharf-thread-'))
const thread = new HashingThread(8)
after(async () => {
  await thread.close()
  rmSync(folder, { recursive: true })
})

let id = ''
let path = ''
beforeEach(() => {
  id = randomBytes(16).toString('hex')
  path = join(folder, id)
  writeFileSync(path, '')
})

/** As a slice arrives: into the file, and buffer by buffer to the thread. */
async function slice(
  from: HashingThread,
  offset: number,
  bytes: Buffer,
  { kept = true, algorithm = 'sha1', withSha256 = false } = {},
) {
  const hash = from.hashSlice({ id, path, offset, withSha256 }, algorithm)
  const sent: Promise<void>[] = []
  for (let start = 0; start < bytes.length; start += bufferBytes) {
    const piece = bytes.subarray(start, start + bufferBytes)
    const buffer = await from.buffers.acquire()
    from.buffers.view(buffer, piece.length).set(piece)
    sent.push(hash.update(buffer, piece.length).then(() => from.buffers.release(buffer)))
  }
  await Promise.all(sent)
  const checksum = await hash.checksum()
  if (kept) appendFileSync(path, bytes)
  hash.end(offset + (kept ? bytes.length : 0), kept)
  return checksum
}

const bytes = randomBytes(5 * bufferBytes + 17)
const [first, second] = [bytes.subarray(0, 2 * bufferBytes + 5), bytes.subarray(2 * bufferBytes + 5)]

test('the whole is hashed across slices, and each slice separately', async () => {
  assert.equal(await slice(thread, 0, first), digest('sha1', first))
  assert.equal(await slice(thread, first.length, second, { algorithm: 'sha256' }), digest('sha256', second))
  assert.deepEqual(await thread.hashWhole(id, path, bytes.length), md5Of(bytes))
  assert.deepEqual(await thread.hashWhole(id, path, bytes.length), md5Of(bytes), 'computed again')
})

test('bytes that passed through the thread are not read from the file', async () => {
  await slice(thread, 0, bytes)
  writeFileSync(path, Buffer.alloc(bytes.length))
  assert.deepEqual(await thread.hashWhole(id, path, bytes.length), md5Of(bytes))
})

test('both digests cover the whole file, also after a discarded slice and after a restart', async () => {
  const withSha256 = true
  await slice(thread, 0, first, { withSha256 })
  await slice(thread, first.length, randomBytes(bufferBytes + 1), { kept: false, withSha256 })
  await slice(thread, first.length, second, { withSha256 })
  assert.deepEqual(await thread.hashWhole(id, path, bytes.length, withSha256), bothOf(bytes))
  const restarted = new HashingThread(8)
  assert.deepEqual(await restarted.hashWhole(id, path, bytes.length, withSha256), bothOf(bytes))
  await restarted.close()
})

test('SHA-256 requested after the first slices covers the whole file', async () => {
  await slice(thread, 0, first)
  await slice(thread, first.length, second, { withSha256: true })
  assert.deepEqual(await thread.hashWhole(id, path, bytes.length, true), bothOf(bytes))
})

test('a discarded slice is removed from the hash', async () => {
  await slice(thread, 0, first)
  await slice(thread, first.length, randomBytes(bufferBytes + 1), { kept: false })
  // reading the file from here on would give a wrong digest
  writeFileSync(path, Buffer.alloc(first.length))
  await slice(thread, first.length, second)
  assert.deepEqual(await thread.hashWhole(id, path, bytes.length), md5Of(bytes))
})

test('bytes from before a restart are read from the file while slices arrive', async () => {
  appendFileSync(path, first)
  const restarted = new HashingThread(8)
  await slice(restarted, first.length, second.subarray(0, 100))
  await slice(restarted, first.length + 100, second.subarray(100))
  assert.deepEqual(await restarted.hashWhole(id, path, bytes.length), md5Of(bytes))
  await restarted.close()
})

test('an upload that was truncated to an earlier offset is read again', async () => {
  await slice(thread, 0, randomBytes(3 * bufferBytes))
  writeFileSync(path, first)
  await slice(thread, first.length, second)
  assert.deepEqual(await thread.hashWhole(id, path, bytes.length), md5Of(bytes))
})

test('several uploads share the thread', async () => {
  const many = Array.from({ length: 8 }, () => ({
    own: new URL(`file://${join(folder, randomBytes(8).toString('hex'))}`),
    data: randomBytes(3 * bufferBytes),
  }))
  const digests = await Promise.all(
    many.map(({ own, data }) => {
      writeFileSync(own, data)
      return thread.hashWhole(own.pathname, own.pathname, data.length)
    }),
  )
  assert.deepEqual(
    digests,
    many.map(({ data }) => md5Of(data)),
  )
})

test('a file that is too short or missing is a failure', async () => {
  await assert.rejects(thread.hashWhole(id, path, 10), /less than 10 bytes/)
  rmSync(path)
  await assert.rejects(thread.hashWhole(id, path, 10), /ENOENT/)
})

test('a thread that ends releases its buffers, and the next thread reads the file again', async () => {
  const other = new HashingThread(8)
  await slice(other, 0, first)
  const hash = other.hashSlice({ id, path, offset: first.length })
  const buffer = await other.buffers.acquire()
  const waiting = hash.update(buffer, 100)
  await other.close()
  await waiting
  await slice(other, first.length, second)
  assert.deepEqual(await other.hashWhole(id, path, bytes.length), md5Of(bytes))
  await other.close()
})
