import assert from 'node:assert/strict'
import { test } from 'node:test'
import { characterClassSize } from './character-class-size.ts'

const rows: [pattern: string, size: number][] = [
  ['error', 0],
  ['[a-z]', 25],
  ['[A-Za-z0-9]', 25 + 25 + 9],
  ['[一-龥]', 0x9fa5 - 0x4e00],
  ['[\\x{4e00}-\\x{9FFF}]', 0x9fff - 0x4e00],
  // a hyphen that is not a range hides no range
  ['[-B-\\x{FFFF}]', 0xffff - 0x42],
  // characters beyond the last one with case cost nothing
  ['[\\x{0}-\\x{10FFFF}]', 0x1e943],
  ['[\\x{20000}-\\x{2A6DF}]', 0],
  ['[z-a]', 0],
  ['\\p{L}\\PN', 6000],
  ['\\w\\W', 360],
]
for (const [pattern, size] of rows)
  test(`${pattern} covers ${size} characters`, () => assert.ok(characterClassSize(pattern) >= size))

test('everyday classes are small', () => {
  for (const pattern of ['[^:]+: (\\S+)', 'a-b-c', '[\\w.-]+', '\\d+[a-f0-9-]{36}', '连接-失败'])
    assert.ok(characterClassSize(pattern) < 5000, `${pattern} ${characterClassSize(pattern)}`)
})
