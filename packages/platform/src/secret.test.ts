import assert from 'node:assert/strict'
import { test } from 'node:test'
import { format, inspect } from 'node:util'
import { Secret } from './secret.ts'

const value = 'correct horse battery staple'
const secret = Secret.of(value)

test('reveals the value only by reveal()', () => {
  assert.equal(secret.reveal(), value)
})

test('prints a placeholder', () => {
  assert.equal(`${secret}`, '[secret]')
  assert.equal(secret.toString(), '[secret]')
  assert.equal(`for ${String(secret)}`, 'for [secret]')
  assert.equal(JSON.stringify({ password: secret }), '{"password":"[secret]"}')
  assert.equal(inspect({ password: secret }), '{ password: [secret] }')
  assert.equal(format('%s %o %j', secret, secret, secret).includes(value), false)
})

test('exposes the value in no other property', () => {
  const outputs = [
    inspect(secret, { showHidden: true, customInspect: false, depth: null }),
    JSON.stringify(Object.getOwnPropertyDescriptors(secret)),
    JSON.stringify({ ...secret }),
    inspect(structuredClone({ secret })),
    inspect(new Error('failed', { cause: secret })),
  ]
  for (const output of outputs) assert.equal(output.includes(value), false, output)
})
