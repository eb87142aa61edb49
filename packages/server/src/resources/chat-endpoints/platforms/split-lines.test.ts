import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { Line, Span } from './portable-text.ts'
import { type Costs, splitLines } from './split-lines.ts'

const costs: Costs = { lineCost: 1, spanCost: (span) => ('text' in span ? span.text.length : 5) }
const shortened: Line = { bullet: false, spans: [{ kind: 'text', text: '…', bold: false }] }
const textOf = (parts: Line[][]): string[] =>
  parts.map((lines) =>
    lines.map(({ spans }) => spans.map((span) => ('text' in span ? span.text : '@')).join('')).join('/'),
  )
const line = (...texts: (string | Span)[]): Line => ({
  bullet: false,
  spans: texts.map((text) => (typeof text === 'string' ? { kind: 'text', text, bold: false } : text)),
})
const call: Span = { kind: 'everyone' }
const link = (text: string): Span => ({ kind: 'link', text, url: 'https://x.example/', bold: false })

// ten for a part, two of them reserved for the note that ends a shortened text
const rows: { name: string; lines: Line[]; maxParts?: number; gives: string[] }[] = [
  { name: 'nothing', lines: [], gives: [''] },
  { name: 'what fits', lines: [line('abc'), line('def')], gives: ['abc/def'] },
  { name: 'at a line', lines: [line('abcde'), line('fgh')], gives: ['abcde', 'fgh'] },
  { name: 'within a line that is longer than a part', lines: [line('abcdefghij')], gives: ['abcdefg', 'hij'] },
  { name: 'a long line after a short one', lines: [line('ab'), line('cdefghijklm')], gives: ['ab/cdef', 'ghijklm'] },
  { name: 'between spans', lines: [line('abc', call, link('defg'))], gives: ['abc', '@', 'defg'] },
  { name: 'without a gap at an edge', lines: [line('abcde'), line(), line('fghij')], gives: ['abcde', 'fghij'] },
  { name: 'a link that fits into no part', lines: [line('ab', link('abcdefghijk'), 'cd')], gives: ['ab', 'cd'] },
  { name: 'characters of two units', lines: [line('😀😀😀😀😀')], gives: ['😀😀😀', '😀😀'] },
  {
    name: 'a text longer than all parts',
    lines: [line('abcdefghijklmnopqrstuvwxyz')],
    maxParts: 2,
    gives: ['abcdefg', 'hijklmn/…'],
  },
  {
    name: 'more lines than fit all parts',
    lines: [line('abcdef'), line('ghijkl'), line('m')],
    maxParts: 1,
    gives: ['abcdef/…'],
  },
]

for (const { name, lines, maxParts = 9, gives } of rows) {
  test(`splits ${name}`, () =>
    assert.deepEqual(textOf(splitLines(lines, { costs, capacity: 10, maxParts, shortened })), gives))
}

test('no part exceeds the capacity, and text is lost only by shortening', () => {
  const lines = fc.array(
    fc.array(fc.string({ minLength: 1, maxLength: 30 }), { maxLength: 4 }).map((texts) => line(...texts)),
    { maxLength: 20 },
  )
  fc.assert(
    fc.property(
      lines,
      fc.integer({ min: 8, max: 40 }),
      fc.integer({ min: 1, max: 5 }),
      (written, capacity, maxParts) => {
        const parts = splitLines(written, { costs, capacity, maxParts, shortened })
        assert.ok(parts.length >= 1 && parts.length <= maxParts)
        for (const part of parts) {
          const size = part.reduce(
            (sum, { spans }) => sum + 1 + spans.reduce((all, span) => all + costs.spanCost(span), 0),
            0,
          )
          assert.ok(size <= capacity)
        }
        if (!parts.at(-1)?.includes(shortened)) {
          assert.equal(textOf(parts).join('').replaceAll('/', ''), textOf([written]).join('').replaceAll('/', ''))
        }
      },
    ),
  )
})
