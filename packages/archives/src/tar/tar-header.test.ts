import assert from 'node:assert/strict'
import { test } from 'node:test'
import { tarHeader } from '@wharf/testkit/packages/archives.ts'
import fc from 'fast-check'
import { parseTarHeader, tarNumber, tarText } from './tar-header.ts'

const bytes = (text: string): Buffer => Buffer.from(text, 'latin1')

const numbers: [field: Buffer, value: number | undefined][] = [
  [bytes('00000000144\0'), 100],
  [bytes('       144 \0'), 100],
  [bytes('144 \0\0\0\0\0\0\0\0'), 100],
  [bytes('777777777777'), 8 ** 12 - 1],
  [bytes('\0'.repeat(12)), 0],
  [Buffer.from([0x80, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0]), 256],
  [Buffer.from([0x80, 0, 0, 0, 0, 0x1f, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff]), Number.MAX_SAFE_INTEGER],
  [Buffer.from([0x80, 0, 0, 0, 0, 0x20, 0, 0, 0, 0, 0, 0]), undefined],
  [Buffer.from([0x80, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]), undefined],
  [Buffer.alloc(12, 0xff), undefined],
  [Buffer.from([0x81, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1]), undefined],
  [bytes(' '.repeat(12)), undefined],
  [bytes('\x000000000144'), undefined],
  [bytes('0000000018\0\0'), undefined],
  [bytes('144\x0c4\0\0\0\0\0'), undefined],
  [bytes('144 1\0\0\0\0\0\0\0'), undefined],
  [bytes('-144\0\0\0\0\0\0\0\0'), undefined],
  [bytes('+144\0\0\0\0\0\0\0\0'), undefined],
  [bytes('0x64\0\0\0\0\0\0\0\0'), undefined],
  [bytes('1e2\0\0\0\0\0\0\0\0\0'), undefined],
  [bytes('\t144\0\0\0\0\0\0\0\0'), undefined],
]

for (const [field, value] of numbers) {
  test(`the number ${JSON.stringify(field.toString('latin1'))} is ${value}`, () =>
    assert.equal(tarNumber(field), value))
}

test('text ends at the first NUL or fills its field', () => {
  assert.equal(tarText(bytes('abc\0def')).toString(), 'abc')
  assert.equal(tarText(bytes('abc')).toString(), 'abc')
  assert.equal(tarText(bytes('\0abc')).toString(), '')
})

test('a header with one changed byte is invalid, unless only the notation of its checksum changed', () => {
  fc.assert(
    fc.property(fc.nat(511), fc.integer({ min: 1, max: 255 }), (at, change) => {
      const block = tarHeader({ name: 'a/b', data: 'hello', prefix: 'p' })
      block[at] = (block[at] as number) ^ change
      const isInChecksum = at >= 148 && at < 156
      assert.ok(parseTarHeader(block) === undefined || isInChecksum)
    }),
    { numRuns: 2000 },
  )
})
