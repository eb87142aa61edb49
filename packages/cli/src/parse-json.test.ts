import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import fc from 'fast-check'
import { findSyntaxError, parseJson } from './parse-json.ts'

test('a syntax error reports its position without the text', () => {
  for (const [text, message] of [
    ['', 'expected a value at line 1, column 1'],
    ['{greeting: "hush"}', 'expected a name in double quotes at line 1, column 2'],
    ['{"greeting": hush}', 'expected a value at line 1, column 14'],
    ['{\n  "greeting": "hush",\n}', 'expected a name in double quotes at line 3, column 1'],
    ['{"greeting": "hush"', 'expected a comma or } at line 1, column 20'],
    ['{"greeting" "hush"}', 'expected a colon at line 1, column 13'],
    ['[1, 2', 'expected a comma or ] at line 1, column 6'],
    ['{"a": "hush}', 'expected a value at line 1, column 7'],
    ['{} hush', 'expected the end of the text at line 1, column 4'],
    ['[01]', 'expected a comma or ] at line 1, column 3'],
  ] as const)
    assert.throws(() => parseJson('--config', text), { message: `--config is not valid JSON: ${message}` }, text)
})

test('reports a position exactly for what JSON.parse rejects', () => {
  const isJson = (text: string): boolean => {
    try {
      JSON.parse(text)
      return true
    } catch {
      return false
    }
  }
  const broken = fc
    .tuple(fc.json(), fc.nat(), fc.constantFrom('', ',', '"', '{', ']', ' ', '\\', '0', 'x', '\n'))
    .map(([json, at, sign]) => json.slice(0, at % (json.length + 1)) + sign + json.slice((at % (json.length + 1)) + 1))
  fc.assert(
    fc.property(fc.oneof(fc.json(), broken), (text) =>
      assert.equal(findSyntaxError(text) === undefined, isJson(text), text),
    ),
    { numRuns: 2000 },
  )
})
