import assert from 'node:assert/strict'
import { test } from 'node:test'
import { numberIn, sentValue, startValue, withoutSecrets, withPlaceholders, withProperty } from './config-value.ts'
import type { JsonSchema } from './json-schema.ts'
import { UnreadableJson } from './unreadable-json.ts'

const numbers: [text: string, value: number | string | undefined][] = [
  ['', undefined],
  [' ', undefined],
  ['0', 0],
  ['-1.5', -1.5],
  ['1e3', 1000],
  ['12a', '12a'],
  ['Infinity', 'Infinity'],
]
for (const [text, value] of numbers) test(`"${text}" is typed as ${value}`, () => assert.equal(numberIn(text), value))

const start: [schema: JsonSchema, value: unknown][] = [
  [{ type: 'string' }, undefined],
  [{ type: 'string', default: 'a' }, 'a'],
  [{ type: 'boolean', default: false }, false],
  [{ const: 5 }, 5],
  [{ type: 'object', properties: {} }, {}],
  [{ type: 'object', properties: { a: { type: 'string' }, b: { default: 1 } } }, { b: 1 }],
  [{ type: 'object', properties: { a: {} }, default: { a: 1 } }, { a: 1 }],
  [{ type: 'array', items: { type: 'string' } }, undefined],
]
for (const [schema, value] of start)
  test(`${JSON.stringify(schema)} starts with ${JSON.stringify(value)}`, () =>
    assert.deepEqual(startValue(schema, schema), value))

const schema: JsonSchema = {
  type: 'object',
  required: ['disk'],
  properties: {
    name: { type: 'string' },
    disk: { type: 'object', properties: { path: { type: 'string' } } },
    cache: { type: 'object', properties: { path: { type: 'string' } } },
    hosts: {
      type: 'array',
      items: { type: 'object', properties: { address: { type: 'string' }, note: { type: 'string' } } },
    },
    any: {},
  },
}
const sent = (value: unknown): unknown => sentValue(value, schema, schema)

test('empty texts are not sent, but false and zero are', () => {
  assert.deepEqual(sent({ name: '', disk: {}, any: 0 }), { disk: {}, any: 0 })
  assert.deepEqual(sent({ disk: {}, any: false }), { disk: {}, any: false })
})

test('an empty object is sent only where it is required', () => {
  assert.deepEqual(sent({ disk: { path: '' }, cache: { path: '' } }), { disk: {} })
})

test('the items of a list keep their positions', () => {
  assert.deepEqual(sent({ disk: {}, hosts: [{ address: 'a', note: '' }, ''] }), {
    disk: {},
    hosts: [{ address: 'a' }, undefined],
  })
})

test('fields that the schema does not declare are sent unchanged', () => {
  assert.deepEqual(sent({ disk: {}, extra: { deep: '' } }), { disk: {}, extra: { deep: '' } })
})

test('invalid JSON stays for the validation', () => {
  const any = new UnreadableJson('{')
  assert.deepEqual(sent({ disk: {}, any }), { disk: {}, any })
})

test('a value of another type than the schema is sent unchanged', () => {
  assert.equal(sent('text'), 'text')
  assert.deepEqual(sent({ disk: 'x', hosts: 'y' }), { disk: 'x', hosts: 'y' })
})

test('setting a property does not change the original', () => {
  const before = { a: 1, b: 2 }
  assert.deepEqual(withProperty(before, 'a', 3), { a: 3, b: 2 })
  assert.deepEqual(withProperty(before, 'a', undefined), { b: 2 })
  assert.deepEqual(withProperty(undefined, 'a', 1), { a: 1 })
  assert.deepEqual(before, { a: 1, b: 2 })
})

test('a shown configuration has placeholders for its secrets', () => {
  const secretSchema: JsonSchema = {
    type: 'object',
    properties: {
      user: { type: 'string' },
      password: { $ref: '#/$defs/secret' },
      nodes: { type: 'array', items: { type: 'object', properties: { token: { type: 'string', writeOnly: true } } } },
      extra: { anyOf: [{ type: 'string' }, { type: 'object' }] },
    },
    $defs: { secret: { type: 'string', format: 'password' } },
  }
  const value = { user: 'root', password: 'p', nodes: [{ token: 't' }], extra: { key: 'k' } }
  assert.deepEqual(withoutSecrets(value, secretSchema, secretSchema), {
    user: 'root',
    password: '<password>',
    nodes: [{ token: '<token>' }],
    extra: '<extra>',
  })
  assert.deepEqual(withoutSecrets({ a: 1 }, { type: 'object' }, { type: 'object' }), { a: 1 })
})

test('without a schema every text and number of a shown configuration is a placeholder', () => {
  assert.deepEqual(withPlaceholders({ user: 'root', pin: 42, tls: true, nodes: [{ token: 't' }, 'x'], none: null }), {
    user: '<user>',
    pin: '<pin>',
    tls: true,
    nodes: [{ token: '<token>' }, '<nodes>'],
    none: null,
  })
  assert.equal(withPlaceholders(undefined), undefined)
})
