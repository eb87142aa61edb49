import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Problem, problemsOf, serverProblems } from './config-problems.ts'
import type { JsonSchema } from './json-schema.ts'
import { UnreadableJson } from './unreadable-json.ts'

const only = (schema: JsonSchema): JsonSchema => ({ type: 'object', properties: { a: schema } })

const rows: [name: string, schema: JsonSchema, value: unknown, problem: Problem | undefined][] = [
  ['a number', { type: 'number' }, 1.5, undefined],
  ['a text instead of a number', { type: 'number' }, '12a', { rule: 'number' }],
  ['a fraction instead of an integer', { type: 'integer' }, 1.5, { rule: 'integer' }],
  ['a small number', { type: 'number', minimum: 2 }, 1, { rule: 'minimum', limit: 2 }],
  ['the smallest number', { type: 'number', minimum: 2 }, 2, undefined],
  ['a large number', { type: 'number', maximum: 2 }, 3, { rule: 'maximum', limit: 2 }],
  ['a short text', { type: 'string', minLength: 2 }, 'a', { rule: 'minLength', limit: 2 }],
  ['a long text', { type: 'string', maxLength: 1 }, 'ab', { rule: 'maxLength', limit: 1 }],
  ['one character of two code units', { type: 'string', maxLength: 1 }, '𝒳', undefined],
  ['a text that does not match', { type: 'string', pattern: '^[a-z]+$' }, 'A', { rule: 'pattern', limit: '^[a-z]+$' }],
  ['a pattern that this engine rejects', { type: 'string', pattern: '(?<a' }, 'A', undefined],
  ['a short list', { type: 'array', items: {}, minItems: 2 }, [1], { rule: 'minItems', limit: 2 }],
  ['a long list', { type: 'array', items: {}, maxItems: 1 }, [1, 2], { rule: 'maxItems', limit: 1 }],
  ['invalid JSON', {}, new UnreadableJson('{'), { rule: 'json' }],
  ['any value without a schema', {}, { deep: [1] }, undefined],
]
for (const [name, schema, value, problem] of rows)
  test(`${name}: ${problem?.rule ?? 'no problem'}`, () =>
    assert.deepEqual(problemsOf({ a: value }, only(schema)).get('a'), problem))

test('a required property is reported, an optional one is not', () => {
  const schema = { type: 'object', required: ['a'], properties: { a: { type: 'string' }, b: { type: 'string' } } }
  assert.deepEqual([...problemsOf({}, schema)], [['a', { rule: 'required' }]])
})

test('problems are reported by the path of the field', () => {
  const schema: JsonSchema = {
    type: 'object',
    properties: {
      disks: {
        type: 'array',
        items: {
          type: 'object',
          required: ['path'],
          properties: { path: { type: 'string' }, size: { type: 'integer' } },
        },
      },
    },
  }
  const problems = problemsOf({ disks: [{ path: '/a', size: 1 }, { size: 'x' }, undefined] }, schema)
  assert.deepEqual(
    [...problems],
    [
      ['disks.1.path', { rule: 'required' }],
      ['disks.1.size', { rule: 'number' }],
      ['disks.2', { rule: 'required' }],
    ],
  )
})

test('the first problem of a field is kept', () => {
  const schema = only({ type: 'string', minLength: 3, pattern: '^[a-z]+$' })
  assert.deepEqual([...problemsOf({ a: 'A' }, schema)], [['a', { rule: 'minLength', limit: 3 }]])
})

const prefix = 'installSoftwarePackage.config: '
const answers: [details: string, problems: [string, string][]][] = [
  [`${prefix}config.size must be number`, [['size', 'must be number']]],
  [`${prefix}config: name is missing`, [['name', 'config: name is missing']]],
  [
    `${prefix}config.disk: path, size is missing`,
    [
      ['disk.path', 'config.disk: path, size is missing'],
      ['disk.size', 'config.disk: path, size is missing'],
    ],
  ],
  [
    `${prefix}config.a must be string; config.b.0 must be >= 1 (request r1)`,
    [
      ['a', 'must be string'],
      ['b.0', 'must be >= 1'],
    ],
  ],
  ['host web-1 is Disconnected', []],
  ['', []],
]
for (const [details, problems] of answers)
  test(`"${details}" has ${problems.length} problems of fields`, () =>
    assert.deepEqual([...serverProblems(details)], problems))
