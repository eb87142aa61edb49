import assert from 'node:assert/strict'
import { test } from 'node:test'
import { initialText, initialValue, isReadable, newUpgrade, sentConfig, shownConfig } from './upgrade-form.ts'

const schema = {
  type: 'object',
  required: ['port'],
  properties: {
    port: { type: 'integer' },
    greeting: { type: 'string', default: 'hello' },
    token: { type: 'string', writeOnly: true },
  },
}
const kept = { port: 8080, former: true }

test('the form starts with the kept configuration over the defaults of the new schema', () => {
  assert.deepEqual(initialValue(schema, kept), { port: 8080, greeting: 'hello', former: true })
  assert.deepEqual(initialValue(schema, null), { greeting: 'hello' })
  assert.deepEqual(initialValue(schema, 'text'), { greeting: 'hello' })
})

test('fields that the new schema does not allow are omitted', () =>
  assert.deepEqual(initialValue({ ...schema, additionalProperties: false }, kept), { port: 8080, greeting: 'hello' }))

test('the kept configuration is not sent, so that its secrets stay', () =>
  assert.equal(sentConfig({ ...newUpgrade, value: { port: 1 } }, schema, kept), undefined))

test('a changed configuration is sent without empty fields', () => {
  const form = { ...newUpgrade, config: 'changed' as const }
  assert.deepEqual(sentConfig(form, schema, kept), { port: 8080, greeting: 'hello', former: true })
  assert.deepEqual(sentConfig({ ...form, value: { port: 9090, greeting: '' } }, schema, kept), { port: 9090 })
  assert.deepEqual(sentConfig({ ...form, text: '{"a":1}' }, undefined, kept), { a: 1 })
  assert.deepEqual(sentConfig(form, undefined, kept), kept)
})

test('a copied command has placeholders for secrets; without a schema any value may be one', () => {
  assert.deepEqual(shownConfig({ port: 1, token: 'x' }, schema), { port: 1, token: '<token>' })
  assert.deepEqual(shownConfig({ port: 1 }, undefined), { port: '<port>' })
  assert.equal(shownConfig(undefined, schema), undefined)
})

test('a text is JSON or empty', () => {
  assert.ok(isReadable('') && isReadable(' {} ') && isReadable(initialText(kept)))
  assert.ok(!isReadable('{'))
  assert.equal(initialText(null), '')
})
