import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { anyCharacter } from '@wharf/testkit/any-character.ts'
import fc from 'fast-check'

const reader = fileURLToPath(new URL('../../examples/packages/etcd-cluster/lib/json.sh', import.meta.url))

/** Called as in the hooks: by a POSIX shell, with the text on standard input. */
function read(how: 'json_text' | 'json_raw', path: string, text: string) {
  const { status, stdout, stderr } = spawnSync('sh', ['-c', `. "$0"; ${how} "$1"`, reader, path], {
    input: text,
    encoding: 'utf8',
  })
  return { status, value: stdout.replace(/\n$/, ''), stderr }
}

for (const [json, path, text, raw = text] of [
  ['{"a":"b"}', 'a', 'b', '"b"'],
  [' { "a" : { "b" : [ "c" , 7 , true , null ] } } ', 'a.b.1', '7'],
  ['{"a":{"b":["c",7]}}', 'a.b.0', 'c', '"c"'],
  ['{"a":{"b":["c",7]}}', 'a.b', '["c",7]'],
  ['{"a":{}}', 'a.b', ''],
  ['{"a":[]}', 'a.0', ''],
  ['{"a":null}', 'a', 'null'],
  ['{"a":-1.5e+3}', 'a', '-1.5e+3'],
  ['{"a":"","b":1}', 'a', '', '""'],
  ['{"a":{"b":"no"},"b":"yes"}', 'b', 'yes', '"yes"'],
  ['{"x":"\\"b\\":\\"no\\"","b":"yes"}', 'b', 'yes', '"yes"'],
  ['{"\\u0061":"b"}', 'a', 'b', '"b"'],
  ['{"a":"\\"\\\\\\/\\b\\f\\n\\r\\t"}', 'a', '"\\/\b\f\n\r\t', '"\\"\\\\\\/\\b\\f\\n\\r\\t"'],
  ['{"a":"\\u00e9\\u4E2D\\ud83d\\ude00"}', 'a', 'é中😀', '"\\u00e9\\u4E2D\\ud83d\\ude00"'],
  ['{"a":"é中😀 $(id) `id` % & \'"}', 'a', "é中😀 $(id) `id` % & '", '"é中😀 $(id) `id` % & \'"'],
  ['{"a":"\\u0000"}', 'b', ''],
] as const) {
  test(`${path} of ${json} is ${text}`, () => {
    assert.deepEqual(read('json_text', path, json), { status: 0, value: text, stderr: '' })
    assert.deepEqual(read('json_raw', path, json), { status: 0, value: raw, stderr: '' })
  })
}

for (const json of [
  '',
  '{',
  '{"a"}',
  '{"a":}',
  '{"a":1,}',
  '[1 2]',
  '{"a":"b}',
  '{"a":"\t"}',
  '{"a":"\\x"}',
  '{"a":"\\u12"}',
  '{} {}',
  'nul',
  '01',
  "{'a':1}",
]) {
  test(`${JSON.stringify(json)} is not JSON`, () => {
    const { status, value, stderr } = read('json_text', 'a', json)
    assert.equal(status, 2)
    assert.equal(value, '')
    assert.match(stderr, /^not JSON: /)
  })
}

test('refuses a NUL in a text', () => assert.equal(read('json_text', 'a', '{"a":"x\\u0000"}').status, 2))

test('reads any password unchanged', () => {
  const password = fc.string({ unit: anyCharacter, maxLength: 40 }).filter((text) => !text.includes('\0'))
  fc.assert(
    fc.property(password, fc.boolean(), (text, inAscii) => {
      const plain = JSON.stringify({ cluster: { username: 'a', password: text, apiPort: 2379 } })
      const json = inAscii ? plain.replaceAll(/[^\x20-\x7e]/g, asEscape) : plain
      assert.equal(read('json_text', 'cluster.password', json).value, text)
      assert.equal(JSON.parse(read('json_raw', 'cluster.password', json).value), text)
    }),
    { numRuns: process.env.TEST_LONG ? 200 : 15 },
  )
})

const asEscape = (unit: string): string => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`

test('reads a long input', () => {
  const text = 'long "words" '.repeat(300)
  assert.equal(read('json_text', 'b', JSON.stringify({ a: text, b: text })).value, text)
})
