import assert from 'node:assert/strict'
import { DatabaseSync } from 'node:sqlite'

/** Every page of the file is one that SQLite can have left there. */
export function requireIntegrity(file: string): void {
  using database = new DatabaseSync(file, { timeout: 5000 })
  const rows = database.prepare('pragma integrity_check').all() as { integrity_check: string }[]
  assert.deepEqual(
    rows.map((row) => row.integrity_check),
    ['ok'],
  )
}

/** All that is in it, but for the dates of its migrations. */
export function contentOf(file: string): string {
  using database = new DatabaseSync(file, { timeout: 5000 })
  const tables = database.prepare(`select "name", "sql" from sqlite_schema order by "name"`).all()
  const rows = tables
    .filter(({ sql }) => String(sql).toLowerCase().startsWith('create table'))
    .map(({ name }) => database.prepare(`select * from "${name}" order by 1`).all())
  return JSON.stringify([tables, rows]).replaceAll(/"timestamp":"[^"]*"/g, '')
}
