import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { jsonIn, UnreadableJson, writtenJson } from './unreadable-json.ts'

test('an empty text is not a value', () => {
  for (const text of ['', ' ', '\n']) assert.equal(jsonIn(text), undefined)
  assert.equal(writtenJson(undefined), '')
})

test('invalid JSON keeps its text, so that the user can continue typing', () => {
  const value = jsonIn('{"a": ')
  assert.ok(value instanceof UnreadableJson)
  assert.equal(writtenJson(value), '{"a": ')
})

test('a value is the same after it was written and read', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const copy: unknown = JSON.parse(JSON.stringify(value))
      assert.deepEqual(jsonIn(writtenJson(copy)), copy)
    }),
  )
})
