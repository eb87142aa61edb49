import type { DatabaseSync, SQLInputValue } from 'node:sqlite'

type InsertedRow = Readonly<Record<string, SQLInputValue>>

/** Inserts many rows, all with the same columns, and creates the indexes of the table afterwards: several times faster than row by row. */
export function insertRows(database: DatabaseSync, table: string, rows: Iterable<InsertedRow>): void {
  const indexes = database
    .prepare('select name, sql from sqlite_schema where type = ? and tbl_name = ? and sql is not null')
    .all('index', table) as { name: string; sql: string }[]
  for (const { name } of indexes) database.exec(`drop index "${name}"`)
  let insert: ReturnType<DatabaseSync['prepare']> | undefined
  for (const row of rows) {
    insert ??= database.prepare(insertion(table, Object.keys(row)))
    insert.run(...Object.values(row))
  }
  for (const { sql } of indexes) database.exec(sql)
}

const insertion = (table: string, columns: readonly string[]): string =>
  `insert into "${table}" ("${columns.join('", "')}") values (${columns.map(() => '?').join(', ')})`
