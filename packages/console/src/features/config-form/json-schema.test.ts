import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isObject, type Kind, kindOf, parseObject, propertiesOf, resolved } from './json-schema.ts'

const kinds: [schema: object, kind: Kind][] = [
  [{ type: 'string' }, 'text'],
  [{ type: 'number' }, 'number'],
  [{ type: 'integer' }, 'integer'],
  [{ type: 'boolean' }, 'boolean'],
  [{ enum: ['a', 1, true] }, 'choice'],
  [{ type: 'string', enum: ['a'] }, 'choice'],
  [{ enum: [{ a: 1 }] }, 'json'],
  [{ type: 'object', properties: {} }, 'object'],
  [{ type: 'object' }, 'json'],
  [{ type: 'array', items: { type: 'string' } }, 'array'],
  [{ type: 'array' }, 'json'],
  [{ type: ['string', 'null'] }, 'json'],
  [{ type: 'null' }, 'json'],
  [{}, 'json'],
  [{ type: 'string', anyOf: [] }, 'json'],
  [{ type: 'object', properties: {}, patternProperties: {} }, 'json'],
  [{ type: 'array', items: {}, prefixItems: [] }, 'json'],
]
for (const [schema, kind] of kinds)
  test(`${JSON.stringify(schema)} is edited as ${kind}`, () => assert.equal(kindOf({ ...schema }), kind))

const root = {
  $defs: {
    port: { type: 'integer', minimum: 1 },
    alias: { $ref: '#/$defs/port' },
    loop: { $ref: '#/$defs/loop' },
    ping: { $ref: '#/$defs/pong' },
    pong: { $ref: '#/$defs/ping' },
    'a/b~c': { type: 'string' },
  },
  type: 'object',
}

test('a reference is replaced by its target', () => {
  assert.deepEqual(resolved({ $ref: '#/$defs/port' }, root), { type: 'integer', minimum: 1 })
  assert.deepEqual(resolved({ $ref: '#/$defs/alias' }, root), { type: 'integer', minimum: 1 })
  assert.deepEqual(resolved({ $ref: '#' }, root), root)
})

test('keywords beside a reference override those of its target', () => {
  assert.deepEqual(resolved({ $ref: '#/$defs/port', minimum: 1024, title: 'Port' }, root), {
    type: 'integer',
    minimum: 1024,
    title: 'Port',
  })
})

test('escaped characters of a pointer are decoded', () => {
  assert.deepEqual(resolved({ $ref: '#/$defs/a~1b~0c' }, root), { type: 'string' })
})

for (const $ref of [
  '#/$defs/loop',
  '#/$defs/ping',
  '#/$defs/missing',
  '#/$defs/port/minimum',
  'https://example.com/schema',
  '#/__proto__',
  '#/constructor',
])
  test(`${$ref} accepts any value`, () => assert.deepEqual(resolved({ $ref }, root), {}))

test('what is not an object accepts any value', () => {
  for (const schema of [undefined, null, true, 'x', []]) assert.deepEqual(resolved(schema, root), {})
})

test('properties are resolved, in order, with their requirement', () => {
  const schema = {
    required: ['port', 'absent'],
    properties: { name: { type: 'string' }, port: { $ref: '#/$defs/port' } },
  }
  assert.deepEqual(propertiesOf(schema, root), [
    { name: 'name', schema: { type: 'string' }, isRequired: false },
    { name: 'port', schema: { type: 'integer', minimum: 1 }, isRequired: true },
  ])
})

test('an invalid list of properties is empty', () => {
  assert.deepEqual(propertiesOf({ properties: ['a'], required: 'a' }, root), [])
})

test('only a JSON object is parsed', () => {
  assert.deepEqual(parseObject('{"a":1}'), { a: 1 })
  for (const text of ['[1]', '1', 'null', '"a"', '{', '', undefined]) assert.equal(parseObject(text), undefined)
})

test('arrays and null are not objects', () => {
  assert.ok(isObject({}))
  for (const value of [[], null, undefined, 'a', 1]) assert.ok(!isObject(value))
})
