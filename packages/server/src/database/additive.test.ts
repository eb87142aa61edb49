import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Kysely } from 'kysely'
import { migrationNames, migrations } from './migrations/index.ts'

/** Of the first release: nobody has an older one. */
const [first] = migrationNames

/**
 * What an older node does not notice: new tables, indexes, and columns that it need not fill. A unique index is fine on a
 * table that is new with it; on others it could refuse what the older node writes.
 */
function fault(statement: string, newTables: ReadonlySet<string>): string | undefined {
  const words = statement.trim().replaceAll(/\s+/g, ' ')
  if (/^create table /i.test(words) || /^create index /i.test(words)) return undefined
  const [, table = ''] = /^create unique index "\w+" on "(\w+)"/i.exec(words) ?? []
  if (newTables.has(table)) return undefined
  const [, column = ''] = /^alter table "\w+" add column "\w+" (.*)$/i.exec(words) ?? []
  if (column !== '' && (!/not null/i.test(column) || /default/i.test(column))) return undefined
  // fills a new column; what an older node writes later has the default
  if (/^update "\w+" set /i.test(words)) return undefined
  return words
}

async function statementsOf(name: string): Promise<string[]> {
  let text = ''
  const all = migrations('postgres', async (_db, sql) => {
    text += sql
  })
  await all[name]?.up({} as Kysely<unknown>)
  return text.split(/;\s*(?:\n|$)/).filter((statement) => statement.trim() !== '')
}

for (const name of migrationNames)
  test(`${name} leaves alone what an older node uses`, async () => {
    const statements = await statementsOf(name)
    assert.ok(statements.length > 0)
    const newTables = new Set(statements.flatMap((one) => /create table "(\w+)"/i.exec(one)?.slice(1) ?? []))
    if (name !== first)
      assert.deepEqual(
        statements.flatMap((one) => fault(one, newTables) ?? []),
        [],
      )
  })

const refused = [
  'drop table "hosts"',
  'alter table "hosts" drop column "name"',
  'alter table "hosts" rename column "name" to "title"',
  'alter table "hosts" add column "must" text not null',
  'create unique index "one" on "hosts" ("name")',
  'delete from "hosts"',
]
for (const statement of refused)
  test(`refuses ${statement}`, () => assert.ok(fault(statement, new Set(['others'])) !== undefined))
