import assert from 'node:assert/strict'
import { test } from 'node:test'
import { migrationNames, statementsOf } from './migrations/index.ts'

/** Of the first release: nobody has an older one. */
const [first] = migrationNames

/**
 * What an older node does not notice: new tables, indexes, and columns that it need not fill; without an index it is only
 * slower, unless it relies on its uniqueness. A unique index is fine on a table that is new with it, and on a new column that
 * stays null in what the older node writes; on others it could refuse what that writes.
 */
function fault(
  statement: string,
  newTables: ReadonlySet<string>,
  nullColumns: ReadonlySet<string>,
): string | undefined {
  const words = statement.trim().replaceAll(/\s+/g, ' ')
  if (/^create (table|index) /i.test(words)) return undefined
  const [, dropped] = /^drop index "(\w+)"$/i.exec(words) ?? []
  if (dropped !== undefined) return uniqueIndexes.has(dropped) ? words : undefined
  const [, table = '', indexed = ''] = /^create unique index "\w+" on "(\w+)" \("(\w+)"/i.exec(words) ?? []
  if (newTables.has(table) || nullColumns.has(`${table}.${indexed}`)) return undefined
  const [, column = ''] = /^alter table "\w+" add column "\w+" (.*)$/i.exec(words) ?? []
  if (column !== '' && (!/not null/i.test(column) || /default/i.test(column))) return undefined
  // fills a new column; what an older node writes later has the default
  if (/^update "\w+" set /i.test(words)) return undefined
  return words
}

const listStatements = (name: (typeof migrationNames)[number]): string[] =>
  statementsOf(name, 'postgres')
    .split(/;\s*(?:\n|$)/)
    .filter((statement) => statement.trim() !== '')

const uniqueIndexes: ReadonlySet<string> = new Set(
  migrationNames.flatMap(listStatements).flatMap((one) => /create unique index "(\w+)"/i.exec(one)?.slice(1) ?? []),
)

/** A column that is null wherever an older node writes a row. */
function nullColumn(statement: string): string[] {
  const [, table, column, rest = ''] = /^\s*alter table "(\w+)" add column "(\w+)" (.*)$/i.exec(statement) ?? []
  return table === undefined || /default/i.test(rest) ? [] : [`${table}.${column}`]
}

for (const name of migrationNames)
  test(`${name} leaves alone what an older node uses`, () => {
    const statements = listStatements(name)
    assert.ok(statements.length > 0)
    const newTables = new Set(statements.flatMap((one) => /create table "(\w+)"/i.exec(one)?.slice(1) ?? []))
    const nullColumns = new Set(statements.flatMap(nullColumn))
    if (name !== first)
      assert.deepEqual(
        statements.flatMap((one) => fault(one, newTables, nullColumns) ?? []),
        [],
      )
  })

const refused = [
  'drop table "hosts"',
  'alter table "hosts" drop column "name"',
  'alter table "hosts" rename column "name" to "title"',
  'alter table "hosts" add column "must" text not null',
  'create unique index "one" on "hosts" ("name")',
  'drop index "jobsActiveBySubject"',
  'delete from "hosts"',
]
for (const statement of refused)
  test(`refuses ${statement}`, () =>
    assert.ok(fault(statement, new Set(['others']), new Set(['others.name'])) !== undefined))
