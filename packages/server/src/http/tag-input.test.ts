import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { fieldsInTag, readConfigTag, readTags } from './tag-input.ts'

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

test('the known system tags are accepted with any value', () => {
  for (const pattern of knownTags)
    for (const value of ['', '::', 'a::b', '{\n  "name": "x"\n}', '码头'])
      assert.deepEqual(readTags([{ systemTags: [`${pattern}::${value}`] }]).system, [`${pattern}::${value}`])
})

test('an unknown system tag is kept as it is, up to 4096 characters', () => {
  const kept = [
    'nonsense',
    'nonsense::x',
    '::x',
    ' a::\n b ',
    'constructor::x',
    'uploadUrlABC::x',
    'UPLOADURL::x',
    '码头::x',
  ]
  for (const tag of [...kept, `k8s::${'x'.repeat(4091)}`])
    assert.deepEqual(readTags([{ systemTags: [tag] }]).system, [tag])
  assert.throws(() => readTags([{ systemTags: [`k8s::${'x'.repeat(4092)}`] }]), {
    code: 'SYS.1007',
    message: /systemTags: .* 4096 characters/,
  })
})

/** At most two edits away, the colons counted. */
const typos: Record<string, string> = {
  'uploadurl::x': 'uploadUrl',
  'uplodUrl::x': 'uploadUrl',
  ' uploadUrl::x': 'uploadUrl',
  uploadUrl: 'uploadUrl',
  'uploadUrl:x': 'uploadUrl',
  'uploadUr:x': 'uploadUrl',
  'uploadSoftwarePackages::x': 'uploadSoftwarePackage',
  'UploadConfig::{}': 'uploadConfig',
  'uploadConfing::{}': 'uploadConfig',
  'InstallConfig::{}': 'installConfig',
  'instalConfg::{}': 'installConfig',
  'initConfigs::{}': 'initConfig',
}
for (const [tag, pattern] of Object.entries(typos))
  test(`refuses the system tag ${JSON.stringify(tag)} as a likely typo of ${pattern}`, () => {
    assert.throws(() => readTags([{ systemTags: [tag] }]), {
      code: 'SYS.1007',
      message: new RegExp(`^systemTags: .* ${pattern}::`),
    })
  })

test('of an update only its own configuration is read, whatever other tags it has', () => {
  const own = 'installConfig::{"config":"x"}'
  for (const place of [
    { systemTags: [5, null, ['x'], 'instalConfig::{}', 'x'.repeat(9000), own], userTags: 5 },
    { systemTags: [own], userTags: ['a\0b'] },
  ])
    assert.deepEqual(readConfigTag([{}, { systemTags: 'text' }, place], 'installConfig'), [own])
  assert.deepEqual(readConfigTag([{ systemTags: {} }, { systemTags: null }], 'installConfig'), [])
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
  fieldsInTag(['uploadUrl::x', `installConfig::${text}`], 'installConfig', 'installSoftwarePackage')
const fields = { config: '{"a": [1]}', hostUuid: 'x' }
const json = JSON.stringify(fields)

const carried: { name: string; text: string }[] = [
  { name: 'plain JSON', text: json },
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

test('any fields are read from all three forms', () => {
  const anyFields = fc.dictionary(fc.string(), fc.jsonValue()).filter((given) => !('installSoftwarePackage' in given))
  fc.assert(
    fc.property(anyFields, (given) => {
      const text = JSON.stringify(given)
      const expected = JSON.parse(text)
      for (const form of [text, `{${text}}`, Buffer.from(text).toString('base64')])
        assert.deepEqual(carry(form), expected)
    }),
  )
})

test('without the tag the result is empty, and of two the first is used', () => {
  assert.deepEqual(fieldsInTag(['uploadConfig::{"a":1}'], 'installConfig', 'x'), {})
  const system = ['installConfig::{"a":1}', 'installConfig::{"a":2}']
  assert.deepEqual(fieldsInTag(system, 'installConfig', 'x'), { a: 1 })
})

test('a tag that carries no object is refused', () => {
  for (const text of ['', '{', '[]', '5', '"x"', 'null', '{{{}}}', 'nonsense', Buffer.from('[1]').toString('base64')])
    assert.throws(() => carry(text), { code: 'SYS.1007', message: /installConfig:: must carry a JSON object/ }, text)
})
