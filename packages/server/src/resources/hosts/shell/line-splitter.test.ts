import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { LineSplitter, maxLineBytes } from './line-splitter.ts'

function split(chunks: readonly Uint8Array[]): string[] {
  const lines: string[] = []
  const splitter = new LineSplitter((line) => lines.push(line))
  for (const chunk of chunks) splitter.push(Buffer.from(chunk))
  splitter.end()
  return lines
}

const rows = [
  { name: 'nothing at all', bytes: '', lines: [] },
  { name: 'a line without an end', bytes: 'a', lines: ['a'] },
  { name: 'an empty line', bytes: '\n', lines: [''] },
  { name: 'empty lines around', bytes: '\na\n\nb', lines: ['', 'a', '', 'b'] },
  { name: 'line ends of Windows', bytes: 'a\r\nb\r\n', lines: ['a', 'b'] },
  { name: 'a return within a line', bytes: '10 %\r20 %\n', lines: ['10 %\r20 %'] },
]
for (const { name, bytes, lines } of rows) {
  test(`splits ${name}`, () => assert.deepEqual(split([Buffer.from(bytes)]), lines))
}

test('the sizes of the chunks do not matter', () => {
  const bytes = fc.array(
    fc.oneof(
      fc.uint8Array(),
      fc.string({ unit: 'grapheme' }).map((text) => Buffer.from(`${text}\n`)),
    ),
  )
  fc.assert(
    fc.property(bytes, (chunks) => {
      assert.deepEqual(split(chunks), split([Buffer.concat(chunks)]))
    }),
  )
})

test('truncates a long line and continues with the next', () => {
  const long = Buffer.from(`${'x'.repeat(3 * maxLineBytes)}\nnext\n`)
  assert.deepEqual(split([long]), ['x'.repeat(maxLineBytes), 'next'])
  assert.deepEqual(split([long.subarray(0, 5000), long.subarray(5000)]), ['x'.repeat(maxLineBytes), 'next'])
})

test('truncates between two characters', () => {
  for (const character of ['é', '中', '🚢']) {
    for (const before of ['', 'a', 'ab', 'abc']) {
      const [line = ''] = split([Buffer.from(before + character.repeat(maxLineBytes))])
      assert.ok(!line.includes('\ufffd'), `${before}${character}`)
      assert.ok(Buffer.byteLength(line) > maxLineBytes - 4)
    }
  }
})
