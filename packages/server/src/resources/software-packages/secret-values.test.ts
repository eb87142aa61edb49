import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findSecretValues, hideSecretFields } from './secret-values.ts'

const secret = { type: 'string', writeOnly: true }
const object = (properties: object, more: object = {}) => ({ type: 'object', properties, ...more })

const cases: [name: string, schema: object, config: unknown, want: string[]][] = [
  ['a field', object({ a: secret, b: { type: 'string' } }), { a: 's', b: 'open' }, ['s']],
  ['a number', object({ pin: { type: 'integer', writeOnly: true } }), { pin: 4711 }, ['4711']],
  [
    'neither booleans nor null',
    object({ on: { writeOnly: true }, no: { writeOnly: true } }),
    { on: true, no: null },
    [],
  ],
  ['a nested field', object({ a: object({ b: object({ c: secret }) }) }), { a: { b: { c: 's' } } }, ['s']],
  ['items of a list', object({ a: { items: object({ k: secret }) } }), { a: [{ k: 's' }, { k: 't' }] }, ['s', 't']],
  ['the first items of a list', object({ a: { prefixItems: [{}, secret] } }), { a: ['open', 's'] }, ['s']],
  ['everything in a secret object', object({ a: { writeOnly: true } }), { a: { b: ['s', { c: 7 }] } }, ['s', '7']],
  ['the whole configuration', { ...object({}), writeOnly: true }, { a: 's' }, ['s']],
  ['a reference', object({ a: { $ref: '#/$defs/k' } }, { $defs: { k: secret } }), { a: 's' }, ['s']],
  [
    'a reference by its anchor',
    object({ a: { $ref: '#k' } }, { $defs: { x: { ...secret, $anchor: 'k' } } }),
    { a: 's' },
    ['s'],
  ],
  [
    'a reference with escapes',
    object({ a: { $ref: '#/$defs/k~1%20x' } }, { $defs: { 'k/ x': secret } }),
    { a: 's' },
    ['s'],
  ],
  ['a recursive schema', object({ k: secret, next: { $ref: '#' } }), { k: 's', next: { k: 't' } }, ['s', 't']],
  ['a schema that refers to itself', { allOf: [{ $ref: '#' }, object({ k: secret })] }, { k: 's' }, ['s']],
  ['one of several', { oneOf: [object({ a: secret }), object({ a: {} })] }, { a: 's' }, ['s']],
  ['a condition', JSON.parse('{"if":{},"then":{"properties":{"a":{"writeOnly":true}}}}'), { a: 's' }, ['s']],
  ['what depends on a field', { dependentSchemas: { b: object({ a: secret }) } }, { a: 's' }, ['s']],
  ['fields that match a pattern', { patternProperties: { _key$: secret } }, { a_key: 's', a_name: 'open' }, ['s']],
  ['all other fields', object({ a: {} }, { additionalProperties: secret }), { a: 'open', b: 's' }, ['s']],
  ['nothing that is only described', object({ a: { type: 'string', description: 'writeOnly' } }), { a: 'open' }, []],
  ['nothing in a field named writeOnly', object({ writeOnly: { type: 'boolean' } }), { writeOnly: 'open' }, []],
]

for (const [name, schema, config, want] of cases)
  test(`finds ${name}`, () => assert.deepEqual(findSecretValues(schema as Record<string, unknown>, config), want))

test('a schema that exceeds the time limit makes every value a secret', () => {
  const endless = { patternProperties: { '^(a+)+$': { type: 'string' } } }
  const config = { [`${'a'.repeat(40)}!`]: 's', b: 7 }
  assert.deepEqual(findSecretValues(endless, config), ['s', '7'])
})

test('a schema that doubles at every level is searched within the time limit', () => {
  const levels = Array.from({ length: 40 }, (_, at) => {
    const next = { $ref: `#/$defs/${at + 1}` }
    return [at, { allOf: [next, { ...next }] }] as const
  })
  const schema = { $ref: '#/$defs/0', $defs: { ...Object.fromEntries(levels), 40: object({ a: secret }) } }
  assert.deepEqual(findSecretValues(schema, { a: 's', b: 'open' }), ['s'])
})

const hidden: [name: string, schema: object, config: unknown, want: unknown][] = [
  ['a nested field', object({ a: object({ k: secret, b: {} }) }), { a: { k: 's', b: 1 } }, { a: { b: 1 } }],
  ['in lists', object({ a: { items: object({ k: secret }) } }), { a: [{ k: 's', n: 1 }, 2] }, { a: [{ n: 1 }, 2] }],
  ['of a list', object({ a: { prefixItems: [{}, secret] } }), { a: ['open', 's', 'x'] }, { a: ['open', 'x'] }],
  ['by reference', object({ 'a/b': { $ref: '#/$defs/k' } }, { $defs: { k: secret } }), { 'a/b': 's', b: 2 }, { b: 2 }],
  ['with the same value elsewhere', object({ a: secret, b: {} }), { a: 's', b: 's' }, { b: 's' }],
  ['by one of several', { anyOf: [object({ a: secret }), {}] }, { a: 's', b: true }, { b: true }],
  ['true and null', object({ a: secret, b: secret }), { a: true, b: null, c: 1 }, { c: 1 }],
  ['and everything in a secret object', object({ a: { ...secret } }), { a: { b: 1 } }, {}],
  ['of a secret configuration', { writeOnly: true }, { a: 1 }, {}],
]
for (const [name, schema, config, want] of hidden)
  test(`hides secret fields ${name}`, () =>
    assert.deepEqual(hideSecretFields(schema as Record<string, unknown>, config), want))

test('a schema that exceeds the time limit hides everything', () => {
  const endless = { patternProperties: { '^(a+)+$': { type: 'string' } } }
  assert.deepEqual(hideSecretFields(endless, { [`${'a'.repeat(40)}!`]: 's' }), {})
})
