import assert from 'node:assert/strict'
import { test } from 'node:test'
import { styledLine, unstyledLine } from './styled-line.ts'

const cases: { name: string; line: string; coloured: string; plain: string }[] = [
  { name: 'a colour', line: '\u001b[32mOK\u001b[0m!', coloured: '\u001b[32mOK\u001b[0m!', plain: 'OK!' },
  { name: 'a colour without an end', line: 'a\u001b[1;31mb', coloured: 'a\u001b[1;31mb\u001b[0m', plain: 'ab' },
  {
    name: 'other escape sequences',
    line: '\u001b[2J\u001b]0;x\u0007a\u009b1m',
    coloured: '\\u001b[2J\\u001b]0;x\\u0007a\\u009b1m',
    plain: '\\u001b[2J\\u001b]0;x\\u0007a\\u009b1m',
  },
  { name: 'text', line: 'a\tb', coloured: 'a b', plain: 'a b' },
]

for (const { name, line, coloured, plain } of cases)
  test(name, () => {
    assert.equal(styledLine(line, true), coloured)
    assert.equal(styledLine(line, false), plain)
  })

test('a line in a file has no colours, and keeps its tabs', () => {
  assert.equal(unstyledLine('\u001b[32mOK\u001b[0m\tdone'), 'OK\tdone')
})
