import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { afterEach, describe, test } from 'node:test'
import { ApiError } from '@wharf/platform/api-error.ts'
import { asOwner } from '@wharf/server/jobs/ownership.ts'
import type { StorageUnderTest } from './storage-under-test.ts'

const mebibyte = 1024 * 1024

/** Exactly this error code, with a message that matches. */
export function refusal(code: string, message = /./) {
  return (error: unknown): boolean => {
    assert.ok(error instanceof ApiError, String(error))
    assert.equal(error.code, code, error.message)
    assert.match(error.message, message)
    return true
  }
}

/** A source that stops after these bytes until `rest` is resolved or rejected. */
function pausing(bytes: Buffer): { source: Readable; reached: Promise<void>; rest: PromiseWithResolvers<Buffer> } {
  const reached = Promise.withResolvers<void>()
  const rest = Promise.withResolvers<Buffer>()
  const source = Readable.from(
    (async function* () {
      yield bytes
      reached.resolve()
      yield await rest.promise
    })(),
  )
  return { source, reached: reached.promise, rest }
}

export function describeStorageWrites(current: () => StorageUnderTest): void {
  const { signal } = new AbortController()
  const put = (bytes: Readable | string | Buffer, path: string, until = signal): Promise<void> =>
    current().driver.put(bytes instanceof Readable ? bytes : Readable.from([bytes]), path, { signal: until })
  const read = (path: string): Promise<Buffer> => buffer(current().driver.get(path, { signal }))

  describe('put', () => {
    afterEach(async () => {
      for (const path of await current().contents()) await current().driver.remove(path, { signal })
      assert.deepEqual(await current().contents(), [])
    })

    for (const [what, bytes] of Object.entries({
      nothing: Buffer.alloc(0),
      text: Buffer.from('text\n'),
      'a block and a byte': randomBytes(32 * 1024 + 1),
      'eight mebibytes': randomBytes(8 * mebibyte),
      'twenty mebibytes and a byte': randomBytes(20 * mebibyte + 1),
    })) {
      test(`stores ${what}, and creates the parent folders`, async () => {
        await put(bytes, 'some/folder/file')
        assert.deepEqual(await current().contents(), ['some/folder/file'])
        assert.ok((await read('some/folder/file')).equals(bytes))
      })
    }

    for (const [what, size] of [
      ['a small file', 100],
      ['one in several parts', 20 * mebibyte],
    ] as const)
      test(`makes nothing visible for a job that lost its lease: ${what}`, async () => {
        let isLost = false
        const requireOwned = (): void => assert.ok(!isLost, 'the lease has run out')
        const ownership = { jobUuid: 'j', fence: 1, requireOwned, loseOwnership: () => new Error('superseded') }
        const { source, reached, rest } = pausing(randomBytes(size))
        const putting = asOwner(ownership, () => put(source, 'some/file'))
        await reached
        isLost = true
        rest.resolve(Buffer.from('the end'))
        await assert.rejects(putting, /the lease has run out/)
        assert.deepEqual(await current().contents(), [])
        await put('of the next owner', 'some/file')
        const removing = asOwner(ownership, () => current().driver.remove('some/file', { signal }))
        await assert.rejects(removing, /the lease has run out/)
        assert.equal(String(await read('some/file')), 'of the next owner')
      })

    test('does not touch what the next owner of a lost job is writing', async () => {
      const requireOwned = (): void => assert.fail('the lease has run out')
      const ownership = { jobUuid: 'j', fence: 1, requireOwned, loseOwnership: () => new Error('superseded') }
      const { source, reached, rest } = pausing(randomBytes(20 * mebibyte))
      const ofNextOwner = put(source, 'some/file')
      await reached
      await assert.rejects(
        asOwner(ownership, () => put('of the lost one', 'some/file')),
        /the lease has run out/,
      )
      await assert.rejects(
        asOwner(ownership, () => current().driver.remove('some/file', { signal })),
        /the lease has run out/,
      )
      rest.resolve(Buffer.from('the end'))
      await ofNextOwner
      assert.equal(String((await read('some/file')).subarray(-7)), 'the end')
    })

    test('stores chunks of any size in their order', async () => {
      const sizes = [1, 0, 70_000, 3, 32_768, 32_767, 1_000_000, 5]
      const chunks = sizes.map((size) => randomBytes(size))
      await put(Readable.from(chunks), 'file')
      assert.ok((await read('file')).equals(Buffer.concat(chunks)))
    })

    for (const name of ['-rf', '--', '...', 'a..b', '.hidden', 'x.part', 'a b', 'ü中文', `long-${'x'.repeat(250)}`]) {
      test(`accepts the name ${name.slice(0, 20)}`, async () => {
        await put(`of ${name}`, `in/${name}`)
        assert.equal(String(await read(`in/${name}`)), `of ${name}`)
        assert.deepEqual(await current().contents(), [`in/${name}`])
      })
    }

    for (const path of [
      '',
      '/',
      '.',
      '..',
      '../up',
      'a/../b',
      'a/./b',
      'a//b',
      'a/',
      '/../up',
      'nul\0byte',
      'x/'.repeat(600),
    ]) {
      test(`refuses the path ${JSON.stringify(path.slice(0, 20))}`, async () => {
        await assert.rejects(put('x', path), refusal('SoftwarePackage.1131'))
        await assert.rejects(read(path), refusal('SoftwarePackage.1131'))
        await assert.rejects(current().driver.exists(path, { signal }), refusal('SoftwarePackage.1131'))
        await assert.rejects(current().driver.remove(path, { signal }), refusal('SoftwarePackage.1131'))
        assert.deepEqual(await current().contents(), [])
      })
    }

    test('never replaces a file, and does not even read what should replace it', async () => {
      await current().place('target', Buffer.from('old'))
      let isRead = false
      const source = new Readable({
        read() {
          isRead = true
          this.push(null)
        },
      })
      await assert.rejects(put(source, 'target'), refusal('SYS.1002', /target already exists/))
      assert.equal(isRead, false)
      assert.ok(source.destroyed)
      assert.equal(String(await read('target')), 'old')
    })

    for (const size of [1000, 9 * mebibyte])
      test(`never replaces what appears while it writes ${size} bytes`, async () => {
        const { source, reached, rest } = pausing(randomBytes(size))
        const putting = put(source, 'target')
        await reached
        await current().place('target', Buffer.from('other'))
        rest.resolve(Buffer.from('end'))
        await assert.rejects(putting, refusal('SYS.1002', /target/))
        assert.deepEqual(await current().contents(), ['target'])
        assert.equal(String(await read('target')), 'other')
      })

    test('lets exactly one of two concurrent writers of a file succeed', async () => {
      const both = [randomBytes(3 * mebibyte), randomBytes(3 * mebibyte)]
      const results = await Promise.allSettled(both.map((bytes) => put(bytes, 'same/target')))
      const winners = both.filter((_, index) => results[index]?.status === 'fulfilled')
      assert.equal(winners.length, 1, JSON.stringify(results))
      assert.deepEqual(await current().contents(), ['same/target'])
      assert.ok((await read('same/target')).equals(winners[0] as Buffer))
    })

    test('shows nothing under its name before it is complete', async () => {
      const { source, reached, rest } = pausing(randomBytes(9 * mebibyte))
      const putting = put(source, 'slow/target')
      await reached
      assert.equal(await current().driver.exists('slow/target', { signal }), false)
      await assert.rejects(read('slow/target'), refusal('BS.1500', /slow\/target/))
      rest.resolve(Buffer.from('end'))
      await putting
      assert.equal(await current().driver.exists('slow/target', { signal }), true)
    })

    for (const size of [1000, 9 * mebibyte]) {
      test(`leaves nothing when its source fails after ${size} bytes, and throws what the source threw`, async () => {
        const failure = new Error('the download broke off')
        const { source, reached, rest } = pausing(randomBytes(size))
        const putting = put(source, 'some/folder/target')
        await reached
        rest.reject(failure)
        await assert.rejects(putting, (error) => error === failure)
        assert.deepEqual(await current().contents(), [])
      })

      test(`leaves nothing when it is aborted after ${size} bytes, and destroys its source`, async () => {
        const controller = new AbortController()
        const reason = new Error('cancelled')
        const { source, reached } = pausing(randomBytes(size))
        const putting = put(source, 'some/folder/target', controller.signal)
        await reached
        controller.abort(reason)
        await assert.rejects(putting, (error) => error === reason)
        assert.ok(source.destroyed)
        assert.deepEqual(await current().contents(), [])
      })
    }

    test('does nothing when it is aborted before it starts', async () => {
      const source = Readable.from(['bytes'])
      await assert.rejects(put(source, 'target', AbortSignal.abort(new Error('cancelled'))), /cancelled/)
      assert.ok(source.destroyed)
      assert.deepEqual(await current().contents(), [])
    })

    test('reports a source that failed before it was read', async () => {
      const source = new Readable({ read() {} })
      source.on('error', () => {})
      source.destroy(new Error('already gone'))
      await new Promise((resolve) => source.once('close', resolve))
      await assert.rejects(put(source, 'target'), /already gone/)
      assert.deepEqual(await current().contents(), [])
    })

    test('stores many files concurrently', async () => {
      const files = Array.from({ length: 8 }, (_, index) => ({
        path: `many/${index}/file`,
        bytes: randomBytes(2 * mebibyte),
      }))
      await Promise.all(files.map(({ path, bytes }) => put(bytes, path)))
      const back = await Promise.all(files.map(({ path }) => read(path)))
      assert.ok(files.every(({ bytes }, index) => back[index]?.equals(bytes)))
      await Promise.all(files.map(({ path }) => current().driver.remove(path, { signal })))
      assert.deepEqual(await current().contents(), [])
    })
  })
}
