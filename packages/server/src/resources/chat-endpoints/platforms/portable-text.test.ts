import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { escapeMarkdown, onOneLine, parsePortableText } from './portable-text.ts'

/** Lines as text again: stars around bold, brackets around links, a dash before items. */
const shown = (text: string): string[] =>
  parsePortableText(text).map(({ bullet, spans }) => {
    const parts = spans.map((span) => {
      if (!('text' in span)) return ''
      const linked = span.kind === 'link' ? `{${span.text}|${span.url}}` : span.text
      return span.bold ? `*${linked}*` : linked
    })
    return `${bullet ? '- ' : ''}${parts.join('')}`
  })

const rows: { name: string; text: string; gives: string[] }[] = [
  { name: 'lines and paragraphs', text: '\n a \r\nb\n\n\n\nc\n\n', gives: ['a', 'b', '', 'c'] },
  { name: 'lists', text: '- a\n  * b\n-c', gives: ['- a', '- b', '-c'] },
  { name: 'bold', text: 'a **b** c', gives: ['a *b* c'] },
  { name: 'a marker without a partner', text: '**a** b ** c', gives: ['*a* b ** c'] },
  { name: 'bold that does not cross lines', text: '**a\nb**', gives: ['**a', 'b**'] },
  { name: 'a link', text: '[a b](https://x.example/p?q=1#f)', gives: ['{a b|https://x.example/p?q=1#f}'] },
  { name: 'a link in bold', text: '**a [b](http://x.example)**', gives: ['*a **{b|http://x.example/}*'] },
  {
    name: 'a link to anything but the web',
    text: '[a](ftp://x/) [b](javascript:alert)',
    gives: ['[a](ftp://x/) [b](javascript:alert)'],
  },
  { name: 'a link with a user in it', text: '[bank](https://bank.example@evil.example/)', gives: ['bank'] },
  { name: 'a link that is too long', text: `[a](https://x.example/${'y'.repeat(1000)})`, gives: ['a'] },
  {
    name: 'an address, without the full stop',
    text: 'see https://x.example/a_b。',
    gives: ['see {https://x.example/a_b|https://x.example/a_b}。'],
  },
  {
    name: 'an address in brackets',
    text: '(https://x.example/a)',
    gives: ['({https://x.example/a|https://x.example/a})'],
  },
  {
    name: 'escapes',
    text: '\\*\\*a\\*\\* \\[b\\](https://x.example/) \\- c:\\temp',
    gives: ['**a** [b]({https://x.example/|https://x.example/}) - c:\\temp'],
  },
  { name: 'an escaped bracket in a label', text: '[a\\]b](https://x.example/)', gives: ['{a]b|https://x.example/}'] },
  { name: 'an address of version 6', text: '[a](http://[::1]:9090/g)', gives: ['{a|http://[::1]:9090/g}'] },
  { name: 'control characters', text: 'a\u0000b\u202ec\u200bd\u2028e\ud800f', gives: ['abcd', 'e\ufffdf'] },
]

for (const { name, text, gives } of rows) {
  test(`reads ${name}`, () => assert.deepEqual(shown(text), gives))
}

test('escaped text has no bold, no list and no label', () => {
  const hostile = fc.string({
    unit: fc.constantFrom('*', '[', ']', '(', ')', '\\', '-', ' ', '\n', 'a', 'https://x.y'),
  })
  fc.assert(
    fc.property(hostile, (text) => {
      for (const { bullet, spans } of parsePortableText(escapeMarkdown(text))) {
        assert.equal(bullet, false)
        for (const span of spans)
          assert.ok(span.kind === 'text' ? !span.bold : span.kind === 'link' && span.text.startsWith('http'))
      }
    }),
  )
})

test('escaped text without addresses is unchanged', () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom('*', '[', ']', '(', '\\', '-', '_', 'a', '界') }), (text) => {
      assert.equal(shown(escapeMarkdown(text)).join('\n'), text)
    }),
  )
})

test('parses a text with many opening brackets in linear time', () => {
  for (const text of [
    '['.repeat(16_384),
    '[a]('.repeat(4096),
    '**'.repeat(8192),
    '\\'.repeat(16_384),
    'http://'.repeat(2340),
  ]) {
    const started = performance.now()
    parsePortableText(text)
    assert.ok(performance.now() - started < 1000)
  }
})

test('puts a title on one line and cuts it between characters', () => {
  assert.equal(onOneLine(' a\n\tb ', 10), 'a b')
  assert.equal(onOneLine('😀😀😀', 2), '😀…')
})
