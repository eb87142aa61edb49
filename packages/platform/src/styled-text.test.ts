import assert from 'node:assert/strict'
import { test } from 'node:test'
import { plainText } from './plain-text.ts'
import { styledText } from './styled-text.ts'

const cases: { name: string; line: string; plain: string; styled: string }[] = [
  { name: 'text without escapes', line: 'a\tb', plain: 'a\tb', styled: 'a\tb' },
  { name: 'a colour', line: '\u001b[32mOK\u001b[0m', plain: 'OK', styled: '\u001b[32mOK\u001b[0m' },
  { name: 'a colour that stays on', line: '\u001b[31mred', plain: 'red', styled: '\u001b[31mred\u001b[0m' },
  { name: 'the short reset', line: '\u001b[1mb\u001b[m.', plain: 'b.', styled: '\u001b[1mb\u001b[0m.' },
  {
    name: 'colours of 256 and of 16 million',
    line: '\u001b[38;5;208ma\u001b[48;2;1;2;3mb',
    plain: 'ab',
    styled: '\u001b[38;5;208ma\u001b[48;2;1;2;3mb\u001b[0m',
  },
  { name: 'a colour that does not exist', line: '\u001b[38;5;999;1ma', plain: 'a', styled: '\u001b[1ma\u001b[0m' },
  { name: 'an incomplete colour', line: '\u001b[38;2;1ma', plain: 'a', styled: 'a' },
  {
    name: 'concealed and blinking text',
    line: '\u001b[8;5ma\u001b[5;31mb',
    plain: 'ab',
    styled: 'a\u001b[31mb\u001b[0m',
  },
  { name: 'the value 8 of a colour', line: '\u001b[38;5;8ma', plain: 'a', styled: '\u001b[38;5;8ma\u001b[0m' },
  { name: 'the value 0 of a colour', line: '\u001b[38;5;0ma', plain: 'a', styled: '\u001b[38;5;0ma\u001b[0m' },
  { name: 'a reset before a colour', line: '\u001b[0;31ma', plain: 'a', styled: '\u001b[0;31ma\u001b[0m' },
  { name: 'a reset after a colour', line: '\u001b[48;5;0;0ma', plain: 'a', styled: '\u001b[48;5;0;0ma' },
  { name: 'cursor movements', line: 'a\u001b[2J\u001b[1;1H\u001b[?25lb\u001b[K', plain: 'ab', styled: 'ab' },
  { name: 'a title', line: '\u001b]0;owned\u0007a', plain: 'a', styled: 'a' },
  {
    name: 'a link',
    line: '\u001b]8;;https://x.example\u001b\\text\u001b]8;;\u001b\\',
    plain: 'text',
    styled: 'text',
  },
  { name: 'a title without an end hides no text', line: 'a\u001b]0;b', plain: 'a0;b', styled: 'a0;b' },
  { name: 'a sequence that is cut off', line: 'a\u001b[3', plain: 'a', styled: 'a' },
  { name: 'an escape at the end', line: 'a\u001b', plain: 'a\ufffd', styled: 'a\ufffd' },
  { name: 'short sequences', line: '\u001bc\u001b(Ba\u001b7', plain: 'a', styled: 'a' },
  {
    name: 'a sequence inside a sequence',
    line: '\u001b\u001b[31mx',
    plain: '\ufffdx',
    styled: '\ufffd\u001b[31mx\u001b[0m',
  },
  {
    name: 'other control characters',
    line: 'a\u0000b\u009b31mc\u202e',
    plain: 'a\ufffdb\ufffd31mc\ufffd',
    styled: 'a\ufffdb\ufffd31mc\ufffd',
  },
]

for (const { name, line, plain, styled } of cases)
  test(name, () => {
    assert.equal(plainText(line), plain)
    assert.equal(styledText(line), styled)
    assert.equal(styledText(styled), styled, 'a stored line stays as it is')
  })

test('hostile lines take linear time', () => {
  for (const part of ['\u001b[', '\u001b]', '\u001b[31;', '\u001b(', '\u001b]0;a', '\u001bP\u001b[1m']) {
    const started = performance.now()
    styledText(part.repeat(50_000))
    assert.ok(performance.now() - started < 1500, JSON.stringify(part))
  }
})
