import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { PackageManifest } from '@wharf/archives/manifest.ts'
import { manifestOf, readConfiguration, removeSecrets } from './configuration.ts'

const manifest = (config?: object): PackageManifest =>
  ({
    name: 'demo',
    version: '1',
    type: 'demo',
    install: { run: ['./x'] },
    ...(config ? { config } : {}),
  }) as PackageManifest
const hostUuid = 'a'.repeat(32)
const port = { type: 'integer' }
const strict = { type: 'object', properties: { port }, additionalProperties: false }

test('without a schema the hook receives any text unchanged, and an object as an object', () => {
  for (const [text, value] of [
    [undefined, null],
    ['', ''],
    ['port=1', 'port=1'],
    ['[1]', '[1]'],
    ['5', '5'],
    ['{"a":1}', { a: 1 }],
    ['{', '{'],
  ] as const)
    assert.deepEqual(readConfiguration(manifest(), text), { value, hostUuid: undefined })
})

test('with a schema only an object that matches it is accepted', () => {
  for (const text of [undefined, '', ' ', '{}'])
    assert.deepEqual(readConfiguration(manifest(strict), text).value, {}, String(text))
  assert.deepEqual(readConfiguration(manifest(strict), '{"port":1}').value, { port: 1 })
  for (const [text, message] of [
    ['port=1', 'JSON object'],
    ['[]', 'JSON object'],
    ['null', 'JSON object'],
    ['{"port":"1"}', 'port'],
    ['{"prot":1}', 'prot'],
  ] as const)
    assert.throws(() => readConfiguration(manifest(strict), text), { code: 'SYS.1007', message: new RegExp(message) })
})

test('the hostUuid is for Wharf, and for the package only when its schema contains it', () => {
  const text = JSON.stringify({ hostUuid, port: 1 })
  assert.deepEqual(readConfiguration(manifest(strict), text), { value: { port: 1 }, hostUuid })
  const withHost = { ...strict, properties: { port, hostUuid: { type: 'string' } } }
  assert.deepEqual(readConfiguration(manifest(withHost), text), { value: { port: 1, hostUuid }, hostUuid })
  const dashed = hostUuid.toUpperCase().replace(/^(.{8})/, '$1-')
  const asDashed = JSON.stringify({ port: 1, hostUuid: dashed })
  assert.deepEqual(readConfiguration(manifest(withHost), asDashed), { value: { port: 1, hostUuid }, hostUuid })
  assert.equal(readConfiguration(manifest(), '{"hostUuid":5}').hostUuid, undefined)
})

const secret = { type: 'string', writeOnly: true }
const name = { type: 'string' }
for (const [what, schema, value, shown] of [
  ['at the top', { properties: { name, secret } }, { name: 'a', secret: 's' }, { name: 'a' }],
  [
    'in an object',
    { properties: { in: { properties: { name, secret } } } },
    { in: { name: 'a', secret: 's' } },
    { in: { name: 'a' } },
  ],
  [
    'in a list',
    { properties: { all: { items: { properties: { secret } } } } },
    { all: [{ secret: 's' }] },
    { all: [{}] },
  ],
  ['a whole object', { properties: { in: { writeOnly: true } } }, { in: { a: 1 } }, {}],
  ['what the schema does not describe', { properties: { name } }, { name: 'a', more: 's' }, { name: 'a' }],
  [
    'names of every object',
    { properties: { name } },
    JSON.parse('{"name":"a","__proto__":{"x":1},"constructor":"s"}'),
    { name: 'a' },
  ],
  ['a list whose items are not described', { properties: { all: {} } }, { all: [{ a: 's' }, 's'] }, { all: [] }],
] as const)
  test(`hides ${what}`, () => assert.deepEqual(removeSecrets(schema, value), shown))

for (const [what, schema, value] of [
  ['a list of secrets', { properties: { all: { items: secret } } }, { all: ['hunter2'] }],
  [
    'one of several forms',
    { properties: { in: { anyOf: [{ properties: { secret } }] } } },
    { in: { secret: 'hunter2' } },
  ],
  ['a choice that is secret', { properties: { in: { oneOf: [secret, { type: 'null' }] } } }, { in: 'hunter2' }],
  ['a referenced schema', { $defs: { s: secret }, properties: { in: { $ref: '#/$defs/s' } } }, { in: 'hunter2' }],
  ['items by their index', { properties: { all: { prefixItems: [secret] } } }, { all: ['hunter2'] }],
  [
    'items that contain one',
    { properties: { all: { items: { type: 'string' }, contains: secret } } },
    { all: ['hunter2'] },
  ],
] as const)
  test(`reveals no secret of ${what}`, () => {
    assert.doesNotMatch(JSON.stringify(removeSecrets(schema, value)), /hunter2/)
  })

test('a rule that combines fields hides none of them when it names no secrets', () => {
  const schema = { properties: { name, port }, anyOf: [{ required: ['name'] }, { required: ['port'] }] }
  assert.deepEqual(removeSecrets(schema, { name: 'a', port: 1 }), { name: 'a', port: 1 })
})

test('a package without wharf.json cannot be installed', () => {
  assert.throws(() => manifestOf({ name: 'blob', manifest: null }), { code: 'SoftwarePackage.1132', message: /blob/ })
  assert.equal(manifestOf({ name: 'x', manifest: JSON.stringify(manifest()) }).name, 'demo')
})
