import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, beforeEach, test } from 'node:test'
import { Hasher } from './hasher.ts'
import { bufferBytes } from './limits.ts'

const digest = (algorithm: string, bytes: Buffer): string => createHash(algorithm).update(bytes).digest('hex')
const md5Of = (bytes: Buffer) => ({ md5: digest('md5', bytes) })
const bothOf = (bytes: Buffer) => ({ md5: digest('md5', bytes), sha256: digest('sha256', bytes) })
const folder = mkdtempSync(join(tmpdir(), 'wharf-hasher-'))
const hasher = new Hasher()
after(async () => {
  await hasher.close()
  rmSync(folder, { recursive: true })
})

let id = ''
let path = ''
beforeEach(() => {
  id = randomBytes(16).toString('hex')
  path = join(folder, id)
  writeFileSync(path, '')
})

/** As a slice comes in: into the file, and slot by slot to the thread. */
async function slice(
  from: Hasher,
  offset: number,
  bytes: Buffer,
  { kept = true, algorithm = 'sha1', withSha256 = false } = {},
) {
  const hash = from.begin(id, path, offset, algorithm, withSha256)
  const sent: Promise<void>[] = []
  for (let start = 0; start < bytes.length; start += bufferBytes) {
    const piece = bytes.subarray(start, start + bufferBytes)
    const slot = await from.buffers.wait()
    from.buffers.view(slot, piece.length).set(piece)
    sent.push(hash.update(slot, piece.length).then(() => from.buffers.release(slot)))
  }
  await Promise.all(sent)
  const checksum = await hash.checksum()
  if (kept) appendFileSync(path, bytes)
  hash.end(offset + (kept ? bytes.length : 0), kept)
  return checksum
}

const bytes = randomBytes(5 * bufferBytes + 17)
const [first, second] = [bytes.subarray(0, 2 * bufferBytes + 5), bytes.subarray(2 * bufferBytes + 5)]

test('the whole is hashed across slices, each slice for itself', async () => {
  assert.equal(await slice(hasher, 0, first), digest('sha1', first))
  assert.equal(await slice(hasher, first.length, second, { algorithm: 'sha256' }), digest('sha256', second))
  assert.deepEqual(await hasher.whole(id, path, bytes.length), md5Of(bytes))
  assert.deepEqual(await hasher.whole(id, path, bytes.length), md5Of(bytes), 'asked again')
})

test('it does not read what it has seen', async () => {
  await slice(hasher, 0, bytes)
  writeFileSync(path, Buffer.alloc(bytes.length))
  assert.deepEqual(await hasher.whole(id, path, bytes.length), md5Of(bytes))
})

test('with SHA-256 both digests are of the whole, also when a slice was undone, and after a restart', async () => {
  const withSha256 = true
  await slice(hasher, 0, first, { withSha256 })
  await slice(hasher, first.length, randomBytes(bufferBytes + 1), { kept: false, withSha256 })
  await slice(hasher, first.length, second, { withSha256 })
  assert.deepEqual(await hasher.whole(id, path, bytes.length, withSha256), bothOf(bytes))
  const restarted = new Hasher()
  assert.deepEqual(await restarted.whole(id, path, bytes.length, withSha256), bothOf(bytes))
  await restarted.close()
})

test('SHA-256 that is asked for only after the first slices is of the whole all the same', async () => {
  await slice(hasher, 0, first)
  await slice(hasher, first.length, second, { withSha256: true })
  assert.deepEqual(await hasher.whole(id, path, bytes.length, true), bothOf(bytes))
})

test('a slice that does not count is undone', async () => {
  await slice(hasher, 0, first)
  await slice(hasher, first.length, randomBytes(bufferBytes + 1), { kept: false })
  // what is read from here on would be wrong
  writeFileSync(path, Buffer.alloc(first.length))
  await slice(hasher, first.length, second)
  assert.deepEqual(await hasher.whole(id, path, bytes.length), md5Of(bytes))
})

test('what came before a restart is read, while slices go on coming', async () => {
  appendFileSync(path, first)
  const restarted = new Hasher()
  await slice(restarted, first.length, second.subarray(0, 100))
  await slice(restarted, first.length + 100, second.subarray(100))
  assert.deepEqual(await restarted.whole(id, path, bytes.length), md5Of(bytes))
  await restarted.close()
})

test('an upload that has gone back to an earlier offset is read again', async () => {
  await slice(hasher, 0, randomBytes(3 * bufferBytes))
  writeFileSync(path, first)
  await slice(hasher, first.length, second)
  assert.deepEqual(await hasher.whole(id, path, bytes.length), md5Of(bytes))
})

test('several uploads share the thread', async () => {
  const many = Array.from({ length: 8 }, () => ({
    own: new URL(`file://${join(folder, randomBytes(8).toString('hex'))}`),
    data: randomBytes(3 * bufferBytes),
  }))
  const digests = await Promise.all(
    many.map(({ own, data }) => {
      writeFileSync(own, data)
      return hasher.whole(own.pathname, own.pathname, data.length)
    }),
  )
  assert.deepEqual(
    digests,
    many.map(({ data }) => md5Of(data)),
  )
})

test('a file that is shorter than it should be is a failure, and so is one that is gone', async () => {
  await assert.rejects(hasher.whole(id, path, 10), /less than 10 bytes/)
  rmSync(path)
  await assert.rejects(hasher.whole(id, path, 10), /ENOENT/)
})

test('a thread that is lost costs its slots and digests nothing but time', async () => {
  const other = new Hasher()
  await slice(other, 0, first)
  const hash = other.begin(id, path, first.length, undefined)
  const slot = await other.buffers.wait()
  const waiting = hash.update(slot, 100)
  await other.close()
  await waiting
  await slice(other, first.length, second)
  assert.deepEqual(await other.whole(id, path, bytes.length), md5Of(bytes))
  await other.close()
})
