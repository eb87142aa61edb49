import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { test } from 'node:test'
import fc from 'fast-check'
import { Source } from './source.ts'

const { signal } = new AbortController()

test('blocks have the requested sizes and contain every byte in order', async () => {
  const chunks = fc.array(fc.uint8Array({ maxLength: 40 }), { maxLength: 20 })
  const sizes = fc.array(fc.integer({ min: 1, max: 30 }), { minLength: 1, maxLength: 5 })
  await fc.assert(
    fc.asyncProperty(chunks, sizes, async (given, sizes) => {
      const sizeOf = (index: number): number => sizes[Math.min(index, sizes.length - 1)] ?? 1
      const blocks: Buffer[] = []
      await Source.consume(
        Readable.from(given.map((chunk) => Buffer.from(chunk))),
        signal,
        async (source) => {
          for await (const block of source.blocks(sizeOf)) blocks.push(block)
        },
        (error) => error,
      )
      assert.ok(Buffer.concat(blocks).equals(Buffer.concat(given)))
      for (const [index, { length }] of blocks.slice(0, -1).entries()) assert.equal(length, sizeOf(index))
      assert.ok(blocks.every(({ length }, index) => length > 0 && length <= sizeOf(index)))
    }),
  )
})

test('a failure of the storage is described, and the stream is destroyed', async () => {
  const source = Readable.from([Buffer.alloc(10)])
  const write = async (): Promise<void> => {
    throw new Error('the disk is full')
  }
  await assert.rejects(
    Source.consume(source, signal, write, (error) => new Error(`storage: ${(error as Error).message}`)),
    /storage: the disk is full/,
  )
  assert.ok(source.destroyed)
})
