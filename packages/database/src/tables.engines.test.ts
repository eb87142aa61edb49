import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inventories, operations } from '@wharf/contract'
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

const firstColumns = {
  sqlite: `select m."tbl_name" as "table", i."name" as "column"
    from sqlite_schema m, pragma_index_info(m."name") i where m."type" = 'index' and i."seqno" = 0`,
  postgres: `select t."relname" as "table", a."attname" as "column" from pg_index i join pg_class t on t."oid" = i."indrelid"
    join pg_attribute a on a."attrelid" = t."oid" and a."attnum" = i."indkey"[0]`,
}

/** There are never so many that sorting them costs anything. */
const few = ['clusterPluginAlertPlatforms', 'managementNodes', 'migrateImages', 'migrateImageReferences']

test('every record that is listed has an index for the order of its list', async (t) => {
  const database = await testDatabase(t)
  const { rows } = await database.read.executeQuery<Row>(CompiledQuery.raw(firstColumns[database.engine]))
  const indexed = new Set(rows.map(({ table, column }) => `${table}.${column}`))
  const listed = operations.filter(({ path }) => !path.includes('{')).flatMap(({ queries }) => queries ?? [])
  assert.ok(listed.length > 15)
  for (const { table, order = 'createDate' } of listed)
    assert.ok(table === undefined || few.includes(table) || indexed.has(`${table}.${order}`), `${table}.${order}`)
})
