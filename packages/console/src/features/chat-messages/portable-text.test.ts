import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Line, readLines } from './portable-text.ts'

/** `*bold*` and `<url|text>`, one string per line, bullets with a dash. */
const shown = (lines: readonly Line[]): string[] =>
  lines.map(({ isBullet, spans }) => {
    const text = spans.map((span) => {
      const inner = span.url === undefined ? span.text : `<${span.url}|${span.text}>`
      return span.isBold ? `*${inner}*` : inner
    })
    return `${isBullet ? '- ' : ''}${text.join('')}`
  })

const rows: [name: string, text: string, lines: string[]][] = [
  ['an empty text', '', []],
  ['blank lines only', '\n \n', []],
  ['plain text', 'disk is full', ['disk is full']],
  ['two lines', 'a\nb', ['a', 'b']],
  ['line ends of Windows', 'a\r\nb\rc', ['a', 'b', 'c']],
  ['several blank lines', '\n\na\n\n\nb\n\n', ['a', '', 'b']],
  ['surrounding spaces', '  a  ', ['a']],
  ['bold text', 'a **b** c', ['a *b* c']],
  ['an unmatched marker', 'a ** b', ['a ** b']],
  ['a third marker', '**a** ** b', ['*a* ** b']],
  ['a list', '- a\n* b', ['- a', '- b']],
  ['a dash without a space', '-a', ['-a']],
  ['a link', '[wiki](https://x.example/a)', ['<https://x.example/a|wiki>']],
  ['a bold link', '**[wiki](https://x.example/)**', ['*<https://x.example/|wiki>*']],
  ['an escaped bracket in a label', '[\\[a\\]](https://x.example/)', ['<https://x.example/|[a]>']],
  ['a bare URL', 'see https://x.example/a.', ['see <https://x.example/a|https://x.example/a>.']],
  ['a bare URL in parentheses', '(https://x.example/a)', ['(<https://x.example/a|https://x.example/a>)']],
  ['a URL with user info', '[bank](https://bank.example@evil.example/)', ['bank']],
  ['a script', '[x](javascript:alert)', ['[x](javascript:alert)']],
  ['escaped characters', '\\*\\*a\\*\\* \\[b\\]', ['**a** [b]']],
  ['a backslash before a letter', '\\a', ['\\a']],
]
for (const [name, text, lines] of rows) test(`reads ${name}`, () => assert.deepEqual(shown(readLines(text)), lines))
