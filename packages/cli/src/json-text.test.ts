import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import fc from 'fast-check'
import { firstFault, parseJson } from './json-text.ts'

test('a mistake in JSON is told by its position, without a word of the text', () => {
  for (const [text, says] of [
    ['', 'a value is expected at line 1, column 1'],
    ['{greeting: "hush"}', 'a name in double quotes is expected at line 1, column 2'],
    ['{"greeting": hush}', 'a value is expected at line 1, column 14'],
    ['{\n  "greeting": "hush",\n}', 'a name in double quotes is expected at line 3, column 1'],
    ['{"greeting": "hush"', 'a comma or } is expected at line 1, column 20'],
    ['{"greeting" "hush"}', 'a colon is expected at line 1, column 13'],
    ['[1, 2', 'a comma or ] is expected at line 1, column 6'],
    ['{"a": "hush}', 'a value is expected at line 1, column 7'],
    ['{} hush', 'the end is expected at line 1, column 4'],
    ['[01]', 'a comma or ] is expected at line 1, column 3'],
  ] as const)
    assert.throws(() => parseJson('--config', text), { message: `--config is not valid JSON: ${says}` }, text)
})

test('whatever JSON.parse refuses has a position, and nothing else has', () => {
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
      assert.equal(firstFault(text) === undefined, isJson(text), text),
    ),
    { numRuns: 2000 },
  )
})
