import assert from 'node:assert/strict'
import { test } from 'node:test'
import { problemsOf, serverProblems } from './config-problems.ts'
import { sentValue, startValue, withProperty } from './config-value.ts'
import { type JsonSchema, kindOf, propertiesOf, resolved } from './json-schema.ts'
import { jsonIn, writtenJson } from './unreadable-json.ts'

const schema: JsonSchema = {
  type: 'object',
  required: ['name', 'disk'],
  properties: {
    name: { type: 'string', minLength: 2, pattern: '^[a-z]+$' },
    port: { type: 'integer', minimum: 1, maximum: 65_535, default: 8056 },
    level: { enum: ['debug', 'info'] },
    disk: { $ref: '#/$defs/disk' },
    nodes: { type: 'array', items: { type: 'string' }, minItems: 1 },
    more: { type: 'object', properties: { note: { type: 'string' } } },
    either: { oneOf: [{ type: 'string' }, { type: 'number' }] },
  },
  $defs: {
    disk: {
      type: 'object',
      required: ['path'],
      properties: { path: { type: 'string' }, gigabytes: { type: 'number' } },
    },
  },
}

test('each property has a kind of field; complex schemas are edited as JSON', () => {
  const kinds = propertiesOf(schema, schema).map(({ name, schema: inner }) => [name, kindOf(inner)])
  assert.deepEqual(Object.fromEntries(kinds), {
    name: 'text',
    port: 'integer',
    level: 'choice',
    disk: 'object',
    nodes: 'array',
    more: 'object',
    either: 'json',
  })
})

test('a schema that refers to itself or outside ends', () => {
  const circle = { $defs: { a: { $ref: '#/$defs/a' } } }
  assert.deepEqual(resolved({ $ref: '#/$defs/a' }, circle), {})
  assert.deepEqual(resolved({ $ref: 'https://example.com/x' }, circle), {})
  const endless: JsonSchema = { type: 'object', properties: { inner: { $ref: '#' } } }
  assert.ok(startValue(endless, endless))
})

test('a form starts with the defaults, and sends only the filled fields', () => {
  assert.deepEqual(startValue(schema, schema), { port: 8056, disk: {}, more: {} })
  const value = { name: 'a', level: '', disk: {}, more: { note: '' }, nodes: ['', 'x'], port: 1 }
  assert.deepEqual(sentValue(value, schema, schema), { name: 'a', disk: {}, nodes: [undefined, 'x'], port: 1 })
  assert.deepEqual(withProperty({ a: 1, b: 2 }, 'a', undefined), { b: 2 })
})

test('every broken rule is reported at its field', () => {
  const value = { name: 'A', port: 70_000, disk: { gigabytes: 'many' }, nodes: [] }
  assert.deepEqual(Object.fromEntries(problemsOf(value, schema)), {
    name: { rule: 'minLength', limit: 2 },
    port: { rule: 'maximum', limit: 65_535 },
    'disk.path': { rule: 'required' },
    'disk.gigabytes': { rule: 'number' },
    nodes: { rule: 'minItems', limit: 1 },
  })
  assert.equal(problemsOf({ name: 'ab', disk: { path: '/' } }, schema).size, 0)
})

test('an empty item of a list is reported as missing', () => {
  const sent = sentValue({ name: 'ab', disk: { path: '/' }, nodes: ['', 'x'] }, schema, schema)
  assert.deepEqual(Object.fromEntries(problemsOf(sent, schema)), { 'nodes.0': { rule: 'required' } })
})

test('invalid JSON is reported at its field, also in a complex schema', () => {
  const value = { name: 'ab', disk: { path: '/' }, either: jsonIn('{"a": ') }
  assert.deepEqual(Object.fromEntries(problemsOf(sentValue(value, schema, schema), schema)), {
    either: { rule: 'json' },
  })
  const branching = { ...schema, allOf: [{}] }
  assert.deepEqual([...problemsOf(sentValue(value, branching, branching), branching)], [['either', { rule: 'json' }]])
  assert.deepEqual([jsonIn(' '), jsonIn('{"a": 1}'), writtenJson(jsonIn('{'))], [undefined, { a: 1 }, '{'])
})

test('errors of the server are assigned to their fields', () => {
  const details =
    'installSoftwarePackage.config: config.disk: path is missing; config.nodes.0 must be string; config: x is not known (request 1a)'
  assert.deepEqual(Object.fromEntries(serverProblems(details)), {
    'disk.path': 'config.disk: path is missing',
    'nodes.0': 'must be string',
    '': 'x is not known',
  })
})
