import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { fieldsInTag, readTags } from './tag-input.ts'

const knownTags = ['uploadUrl', 'uploadSoftwarePackage', 'uploadConfig', 'installConfig', 'initConfig']

test('tags of all places are one list, each tag once', () => {
  const tags = readTags([
    { systemTags: ['uploadUrl::a', 'initConfig::{}'], userTags: ['x'] },
    { systemTags: ['uploadUrl::a', 'uploadUrl::b'], userTags: [' x ', 'y'] },
    { systemTags: null },
    {},
  ])
  assert.deepEqual(tags, { system: ['uploadUrl::a', 'initConfig::{}', 'uploadUrl::b'], user: ['x', 'y'] })
})

test('the known system tags are taken, whatever they carry', () => {
  for (const pattern of knownTags)
    for (const value of ['', '::', 'a::b', '{\n  "name": "x"\n}', '码头'])
      assert.deepEqual(readTags([{ systemTags: [`${pattern}::${value}`] }]).system, [`${pattern}::${value}`])
})

const refusedSystemTags = [
  'uploadUrl',
  'uploadUrl:x',
  '::x',
  'nonsense::x',
  ' uploadUrl::x',
  'UPLOADURL::x',
  'constructor::x',
]

for (const tag of refusedSystemTags)
  test(`refuses the system tag ${JSON.stringify(tag)} and names the known ones`, () => {
    assert.throws(() => readTags([{ systemTags: [tag] }]), {
      code: 'SYS.1007',
      message: `systemTags may hold ${knownTags.map((known) => `${known}::…`).join(', ')}`,
    })
  })

const refusedLists: { name: string; value: unknown; details: RegExp }[] = [
  { name: 'text', value: 'x', details: /must be a list/ },
  { name: 'an object', value: { 0: 'x' }, details: /must be a list/ },
  { name: 'a list of numbers', value: [1], details: /non-empty strings/ },
  { name: 'a list of nulls', value: [null], details: /non-empty strings/ },
  { name: 'a list of lists', value: [['x']], details: /non-empty strings/ },
  { name: 'an empty tag', value: [''], details: /non-empty strings/ },
  { name: 'a blank tag', value: ['  '], details: /non-empty strings/ },
  { name: 'a tag that is too long', value: ['x'.repeat(2049)], details: /at most 2048 characters/ },
  { name: 'a lone surrogate', value: ['x\ud800'], details: /not text/ },
  { name: 'NUL', value: ['x\0'], details: /not text/ },
  { name: 'a line end', value: ['x\ny'], details: /control characters/ },
  { name: 'too many', value: Array.from({ length: 101 }, (_, index) => String(index)), details: /at most 100 tags/ },
]

for (const { name, value, details } of refusedLists)
  test(`refuses user tags that are ${name}`, () => {
    assert.throws(() => readTags([{ userTags: value }]), { code: 'SYS.1007', message: details })
  })

const carry = (text: string) =>
  fieldsInTag(
    { system: ['uploadUrl::x', `installConfig::${text}`], user: [] },
    'installConfig',
    'installSoftwarePackage',
  )
const fields = { config: '{"a": [1]}', hostUuid: 'x' }
const json = JSON.stringify(fields)

const carried: { name: string; text: string }[] = [
  { name: 'JSON as it stands', text: json },
  { name: 'JSON over several lines', text: JSON.stringify(fields, null, 2) },
  { name: 'JSON in one more pair of braces', text: `{${json}}` },
  { name: 'JSON in base64', text: Buffer.from(json).toString('base64') },
  { name: 'the fields in their structure', text: JSON.stringify({ installSoftwarePackage: fields }) },
  {
    name: 'the structure in base64',
    text: Buffer.from(JSON.stringify({ installSoftwarePackage: fields })).toString('base64'),
  },
]

for (const { name, text } of carried)
  test(`a tag carries ${name}`, () => {
    assert.deepEqual(carry(text), fields)
  })

test('any fields survive any of the three ways', () => {
  const anyFields = fc.dictionary(fc.string(), fc.jsonValue()).filter((given) => !('installSoftwarePackage' in given))
  fc.assert(
    fc.property(anyFields, (given) => {
      const text = JSON.stringify(given)
      const expected = JSON.parse(text)
      for (const way of [text, `{${text}}`, Buffer.from(text).toString('base64')])
        assert.deepEqual(carry(way), expected)
    }),
  )
})

test('without the tag there are no fields, and of two the first counts', () => {
  assert.deepEqual(fieldsInTag({ system: ['uploadConfig::{"a":1}'], user: [] }, 'installConfig', 'x'), {})
  const system = ['installConfig::{"a":1}', 'installConfig::{"a":2}']
  assert.deepEqual(fieldsInTag({ system, user: [] }, 'installConfig', 'x'), { a: 1 })
})

test('a tag that carries no object is refused', () => {
  for (const text of ['', '{', '[]', '5', '"x"', 'null', '{{{}}}', 'nonsense', Buffer.from('[1]').toString('base64')])
    assert.throws(() => carry(text), { code: 'SYS.1007', message: /installConfig:: must carry a JSON object/ }, text)
})
