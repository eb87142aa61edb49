import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { after, before, describe, test } from 'node:test'
import { refusal } from './storage-driver-writes.ts'
import type { StorageUnderTest } from './storage-under-test.ts'

const maxNoticeMs = 15_000

export function describeStorageReads(current: () => StorageUnderTest): void {
  const { signal } = new AbortController()

  describe('get', () => {
    const bytes = randomBytes(1_500_000)
    const path = 'kept/file'
    before(() => current().place(path, bytes))
    after(() => current().driver.remove(path, { signal }))

    for (const [start, end] of [
      [0, 0],
      [0, 99],
      [32_767, 32_768],
      [100_000, 1_299_999],
      [1_499_999, undefined],
      [1_499_000, 9_999_999],
      [1_500_000, undefined],
      [9_999_999, 10_000_000],
      [200, 100],
    ] as const) {
      test(`returns the bytes from ${start} to ${end ?? 'the end'}`, async () => {
        const piece = { start, ...(end === undefined ? {} : { end }) }
        const got = await buffer(current().driver.get(path, { signal, ...piece }))
        assert.ok(got.equals(bytes.subarray(start, end === undefined ? undefined : end + 1)))
      })
    }

    test('reports a missing file', async () => {
      await assert.rejects(buffer(current().driver.get('kept/no', { signal })), refusal('BS.1500', /kept\/no/))
      await assert.rejects(buffer(current().driver.get('no/no', { signal })), refusal('BS.1500', /no\/no/))
    })

    test('rejects with the reason when it is aborted', async () => {
      const controller = new AbortController()
      const stream = current().driver.get(path, { signal: controller.signal })
      await once(stream, 'readable')
      const reason = new Error('cancelled')
      controller.abort(reason)
      await assert.rejects(buffer(stream), (error) => error === reason)
      await assert.rejects(buffer(current().driver.get(path, { signal: AbortSignal.abort(reason) })), /cancelled/)
    })

    test('can be destroyed at any time without affecting the next read', async () => {
      for (let round = 0; round < 5; round++) {
        const stream = current().driver.get(path, { signal })
        await once(stream, 'readable')
        stream.destroy()
        await once(stream, 'close')
      }
      assert.ok((await buffer(current().driver.get(path, { signal }))).equals(bytes))
    })
  })

  describe('exists', () => {
    test('distinguishes an existing file from a missing one', async () => {
      await current().place('here/file', Buffer.from('x'))
      assert.equal(await current().driver.exists('here/file', { signal }), true)
      assert.equal(await current().driver.exists('here/other', { signal }), false)
      assert.equal(await current().driver.exists('missing/file', { signal }), false)
      await current().driver.remove('here/file', { signal })
    })
  })

  describe('remove', () => {
    test('removes the file and the folders that it leaves empty, and nothing else', async () => {
      await current().place('one/two/file', Buffer.from('x'))
      await current().place('one/other', Buffer.from('y'))
      await current().driver.remove('one/two/file', { signal })
      assert.deepEqual(await current().contents(), ['one/other'])
      await current().driver.remove('one/other', { signal })
      assert.deepEqual(await current().contents(), [])
    })

    test('succeeds when nothing exists', async () => {
      await current().driver.remove('nothing', { signal })
      await current().driver.remove('no/such/folder/file', { signal })
    })
  })

  describe('usage and check', () => {
    test('report a usable storage, and leave nothing', async () => {
      const { driver, reportsCapacity } = current()
      await driver.check({ signal })
      assert.deepEqual(await current().contents(), [])
      const { totalCapacity, availableCapacity } = await driver.usage({ signal })
      assert.equal(totalCapacity > 0, reportsCapacity)
      assert.ok(Number.isSafeInteger(totalCapacity) && Number.isSafeInteger(availableCapacity))
      assert.ok(availableCapacity <= totalCapacity)
    })

    test('stop when the signal is aborted', async () => {
      const { driver } = current()
      const aborted = { signal: AbortSignal.abort(new Error('cancelled')) }
      for (const done of [driver.check(aborted), driver.usage(aborted), driver.remove('x', aborted)])
        await assert.rejects(done, /cancelled/)
    })
  })

  test('every call reports an unreachable storage within the time limit', async () => {
    const { unreachable } = current()
    const options = { signal: AbortSignal.timeout(maxNoticeMs) }
    for (const attempt of [
      () => unreachable.check(options),
      () => unreachable.usage(options),
      () => unreachable.put(Readable.from(['x']), 'file', options),
      () => unreachable.remove('file', options),
      () => unreachable.exists('file', options),
    ])
      await assert.rejects(attempt(), refusal('BS.1003'))
  })

  test('a closed driver opens again at the next use', async () => {
    const { driver } = current()
    await driver.close()
    await driver.close()
    await driver.usage({ signal })
  })
}
