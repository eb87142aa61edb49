import assert from 'node:assert/strict'
import { test } from 'node:test'
import { matchSpans } from './match-spans.ts'
import { styledSpans } from './styled-spans.ts'

/** Matches are in brackets, spans are separated by bars. */
const shown = (line: string, text: string): string =>
  matchSpans(styledSpans(line), text)
    .map((span) => (span.isMatch ? `[${span.text}]` : span.text))
    .join('|')

const cases: [line: string, text: string, want: string][] = [
  ['no match here', 'x', 'no match here'],
  ['Error: error', 'ERROR', '[Error]|: |[error]'],
  ['a.b a+b', 'a.b', '[a.b]| a+b'],
  ['Er\u001b[31mror\u001b[0m!', 'error', '[Er]|[ror]|!'],
  ['\u001b[1mabc\u001b[0m', 'b', 'a|[b]|c'],
  ['错误：失败', '失败', '错误：|[失败]'],
  ['text', '', 'text'],
  ['', 'x', ''],
]

for (const [line, text, want] of cases)
  test(`"${text}" in ${JSON.stringify(line)}`, () => assert.equal(shown(line, text), want))
