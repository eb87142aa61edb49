import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inventories } from '@wharf/contract'
import { testDatabase } from '@wharf/testkit'
import { CompiledQuery } from 'kysely'
import type { Row } from './snapshot.ts'
import { tablesInOrder } from './table-order.ts'

test('the migrations create every stored record, with the columns that the contract declares and no other', async (t) => {
  const database = await testDatabase(t)
  const tables = await tablesInOrder(database.engine, async function* (statement) {
    yield* (await database.read.executeQuery<Row>(CompiledQuery.raw(statement))).rows
  })
  const created = new Map(tables.map(({ name, columns }) => [name, columns.sort()]))
  for (const { name, table, schema, computed = [], private: hidden = {} } of inventories) {
    if (table === undefined) continue
    const shown = Object.keys(schema.properties).filter((field) => !computed.includes(field))
    assert.deepEqual([...shown, ...Object.keys(hidden)].sort(), created.get(table), `${name} in the table ${table}`)
  }
})
