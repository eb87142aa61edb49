import assert from 'node:assert/strict'
import { test } from 'node:test'
import { templateProblems } from './template-problems.ts'

const schema = {
  type: 'object',
  required: ['port'],
  properties: {
    port: { type: 'integer', minimum: 1 },
    name: { type: 'string', pattern: '^[a-z]+$', maxLength: 5 },
    inner: { type: 'object', properties: { text: { type: 'string', minLength: 30 } } },
  },
}

const rows: readonly (readonly [unknown, string[]])[] = [
  [{ port: 80, name: 'shop' }, []],
  [{ port: 80, name: 'Shop' }, ['name']],
  // what a template becomes is known on each host
  [{ port: 80, name: '{{ host.name }}' }, []],
  [{ port: 80, name: '{% if a %}b{% endif %}' }, []],
  [{ port: 80, name: '{ not a template }' }, ['name']],
  [{ port: 80, inner: { text: '{{ x }}' } }, []],
  [{ port: 80, inner: { text: 'short' } }, ['inner.text']],
  // a template is a text: it does not replace a number or a required field
  [{ port: 0, name: '{{ a }}' }, ['port']],
  [{ name: '{{ a }}' }, ['port']],
]

for (const [value, paths] of rows)
  test(`${JSON.stringify(value)} has ${paths.length === 0 ? 'no problem' : `a problem at ${paths}`}`, () => {
    assert.deepEqual([...templateProblems(value, schema).keys()], paths)
  })
