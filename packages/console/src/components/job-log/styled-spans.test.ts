import assert from 'node:assert/strict'
import { test } from 'node:test'
import { plainLine, styledSpans, type TextStyle } from './styled-spans.ts'
import { paletteColour } from './terminal-colours.ts'

/** Without the values that are off. */
const shown = (line: string): [string, TextStyle][] =>
  styledSpans(line).map(({ text, style }) => [
    text,
    Object.fromEntries(Object.entries(style).filter(([, value]) => value !== undefined && value !== false)),
  ])

const start = '\u001b['
const cases: { name: string; line: string; want: [string, TextStyle][] }[] = [
  { name: 'no escape', line: 'text', want: [['text', {}]] },
  { name: 'an empty line', line: '', want: [] },
  {
    name: 'a named colour',
    line: `${start}32mOK${start}0m done`,
    want: [
      ['OK', { colour: paletteColour(2) }],
      [' done', {}],
    ],
  },
  { name: 'a bright colour', line: `${start}91mx`, want: [['x', { colour: paletteColour(9) }]] },
  { name: 'a background', line: `${start}44;103mx`, want: [['x', { background: paletteColour(11) }]] },
  {
    name: 'a colour of 256 and one of 16 million, then bold',
    line: `${start}38;5;208;48;2;1;2;3;1mx`,
    want: [['x', { colour: 0xff8700, background: 0x010203, isBold: true }]],
  },
  {
    name: 'styles end one by one',
    line: `${start}1;3;4;7ma${start}22;23mb${start}24;27mc`,
    want: [
      ['a', { isBold: true, isItalic: true, isUnderlined: true, isInverse: true }],
      ['b', { isUnderlined: true, isInverse: true }],
      ['c', {}],
    ],
  },
  {
    name: 'colours end one by one',
    line: `${start}31;42ma${start}39mb${start}49mc`,
    want: [
      ['a', { colour: paletteColour(1), background: paletteColour(2) }],
      ['b', { background: paletteColour(2) }],
      ['c', {}],
    ],
  },
  {
    name: 'neighbours of the same style are one',
    line: `${start}31ma${start}0m${start}31mb${start}39mc${start}22md`,
    want: [
      ['ab', { colour: paletteColour(1) }],
      ['cd', {}],
    ],
  },
  {
    name: 'a sequence without parameters is a reset',
    line: `${start}1ma${start}mb`,
    want: [
      ['a', { isBold: true }],
      ['b', {}],
    ],
  },
]

for (const { name, line, want } of cases) test(name, () => assert.deepEqual(shown(line), want))

test('the text of a line has no escapes', () => assert.equal(plainLine(`a${start}1;31mb${start}0mc`), 'abc'))
