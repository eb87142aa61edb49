import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inventories } from '@wharf/contract'
import { messages } from './messages.ts'

test('every type of records has a name', () => {
  const types = inventories.flatMap(({ events }) => events as readonly string[])
  assert.deepEqual(
    types.filter((type) => !Object.hasOwn(messages.en, type)),
    [],
  )
})
