import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { jsonSchemaType } from './json-schema-types.ts'
import { inventories } from './operations.ts'

const guide = readFileSync(new URL('../../../docs/writing-a-client.md', import.meta.url), 'utf8')

test('each record has one type, which the guide lists when it is not its own name', () => {
  const types = inventories.map(({ name }) => jsonSchemaType(name))
  assert.equal(new Set(types).size, types.length)
  const foreign = types.filter((type) => type.includes('.'))
  assert.equal(foreign.length, 17)
  for (const type of foreign) assert.ok(guide.includes(type.slice(type.lastIndexOf('.'))), type)
})
