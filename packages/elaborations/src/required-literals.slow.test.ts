import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { compilePattern } from './pattern.ts'
import { hasTrigram, PatternIndex } from './pattern-index.ts'
import { requiredLiterals } from './required-literals.ts'
import { noDeadline } from './search-deadline.ts'

const rows: [pattern: string, texts: string[][]][] = [
  ['cannot open (\\S+): No space', [['cannot open ', ': no space']]],
  ['abc|def', [['abc'], ['def']]],
  ['abc|.*', [['abc'], []]],
  ['ab*c', [['a', 'c']]],
  ['ab?c', [['a', 'c']]],
  ['ab+c', [['ab', 'c']]],
  ['ab{2,3}c', [['a', 'c']]],
  ['a{b', [['b']]],
  ['disk\\.full\\d+x', [['disk.full', 'x']]],
  ['a\\x41b\\x{4e2d}c', [['a', 'b', 'c']]],
  ['[]x]yes[^]x]no[[:alpha:]]z', [['yes', 'no', 'z']]],
  ['(?:a(b[)]c)d)*tail', [['tail']]],
  ['(?i)Straße|磁盘', [['stra', 'e'], ['磁盘']]],
  ['\\Qa.b\\E', [[]]],
  ['^begin$', [['begin']]],
  ['\\pLx\\p{Han}y', [['x', 'y']]],
]
for (const [pattern, texts] of rows)
  test(`every match of ${pattern} contains ${JSON.stringify(texts)}`, () => {
    assert.deepEqual(requiredLiterals(pattern), texts)
  })

test('a pattern that can match without three plain characters in a row is recognized', () => {
  assert.deepEqual(['ab', 'a.*b', 'abc|d', '[abc]{9}', 'abc', 'x|abcd|efg'].map(hasTrigram), [
    false,
    false,
    false,
    false,
    true,
    false,
  ])
})

const atom = fc.constantFrom('a', 'B', 'c', '.', '\\.', '[ab]', '[^a]', '\\w', '\\b', 's', 'k', '中', '(?:ab|c)', '(b)')
const repeat = fc.constantFrom('', '', '', '', '*', '+', '?', '{2}', '{0,2}')
const sequence = fc.array(
  fc.tuple(atom, repeat).map(([what, often]) => what + often),
  { minLength: 1, maxLength: 8 },
)
const pattern = fc
  .array(sequence, { minLength: 1, maxLength: 3 })
  .map((all) => all.map((one) => one.join('')).join('|'))
const text = fc.string({
  unit: fc.constantFrom('a', 'A', 'b', 'c', 'S', 'ſ', 'K', 'k', '.', '中', '\n'),
  maxLength: 20,
})

test('a pattern is a candidate for every text that it matches', () => {
  fc.assert(
    fc.property(pattern, text, (source, sample) => {
      if (!compilePattern(source).test(sample)) return
      const found = new PatternIndex([source]).candidates(sample, noDeadline)
      assert.deepEqual(found, [0], `${source} ${JSON.stringify(sample)}`)
    }),
    { numRuns: 5000 },
  )
})
