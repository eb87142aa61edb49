import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isCheckout, root } from './installation.ts'

test('the root of the installation is the checkout', () => {
  assert.ok(isCheckout(root), root)
})
