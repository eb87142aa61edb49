import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { byteRange } from './byte-range.ts'

const rows: [string | undefined, ReturnType<typeof byteRange>][] = [
  [undefined, 'whole'],
  ['bytes=0-0', { start: 0, end: 0 }],
  ['BYTES=0-9', { start: 0, end: 9 }],
  ['bytes=0-', { start: 0, end: 99 }],
  ['bytes=90-200', { start: 90, end: 99 }],
  ['bytes=90-1000000000000000', { start: 90, end: 99 }],
  ['bytes=-1', { start: 99, end: 99 }],
  ['bytes=-200', { start: 0, end: 99 }],
  ['bytes=-0', 'none'],
  ['bytes=100-', 'none'],
  ['bytes=100-200', 'none'],
  ['bytes=5-4', 'whole'],
  ['bytes=-', 'whole'],
  ['bytes=a-b', 'whole'],
  ['bytes=0-1,4-5', 'whole'],
  ['lines=0-1', 'whole'],
  ['bytes=0x1-5', 'whole'],
]
for (const [header, expected] of rows)
  test(`of 100 bytes, ${header ?? 'no range'}`, () => assert.deepEqual(byteRange(header, 100), expected))

test('a range is never outside the file', () => {
  fc.assert(
    fc.property(fc.nat(), fc.nat(), fc.integer({ min: 1, max: 2 ** 50 }), (first, last, bytes) => {
      for (const header of [`bytes=${first}-${last}`, `bytes=${first}-`, `bytes=-${last}`]) {
        const range = byteRange(header, bytes)
        if (typeof range !== 'string') assert.ok(0 <= range.start && range.start <= range.end && range.end < bytes)
      }
    }),
  )
})
