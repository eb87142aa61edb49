import type { Engine } from './database.ts'
import type { RowsOf } from './snapshot.ts'

export interface Table {
  name: string
  columns: string[]
}

/** The tables of the migrations belong to the database, not to its content. */
const isBookkeeping = (table: string): boolean => table.startsWith('migrations')

const columnsSql: Record<Engine, string> = {
  sqlite: `select m."name" as "table", c."name" as "column" from sqlite_schema m, pragma_table_info(m."name") c
    where m."type" = 'table' and m."name" not like 'sqlite\\_%' escape '\\' order by m."name", c."cid"`,
  postgres: `select c.table_name as "table", c.column_name as "column" from information_schema.columns c
    join information_schema.tables t using (table_schema, table_name)
    where table_schema = current_schema() and t.table_type = 'BASE TABLE' order by c.table_name, c.ordinal_position`,
}

const parentsSql: Record<Engine, string> = {
  sqlite: `select m."name" as "table", f."table" as "parent" from sqlite_schema m, pragma_foreign_key_list(m."name") f
    where m."type" = 'table'`,
  postgres: `select t.relname as "table", p.relname as "parent" from pg_constraint f
    join pg_class t on t.oid = f.conrelid join pg_class p on p.oid = f.confrelid
    where f.contype = 'f' and f.connamespace = current_schema()::regnamespace`,
}

/** Every table of the database, each after those that it refers to. */
export async function tablesInOrder(engine: Engine, rowsOf: RowsOf): Promise<Table[]> {
  const waiting = new Map<string, Table & { parents: Set<string> }>()
  for await (const row of rowsOf(columnsSql[engine])) {
    const name = String(row.table)
    if (isBookkeeping(name)) continue
    const table = waiting.get(name) ?? { name, columns: [], parents: new Set<string>() }
    waiting.set(name, table)
    table.columns.push(String(row.column))
  }
  for await (const row of rowsOf(parentsSql[engine]))
    if (row.parent !== row.table) waiting.get(String(row.table))?.parents.add(String(row.parent))
  const ordered: Table[] = []
  while (waiting.size > 0) {
    const next = [...waiting.values()].find((table) => [...table.parents].every((parent) => !waiting.has(parent)))
    if (next === undefined) throw new Error(`these tables refer to each other in a circle: ${[...waiting.keys()]}`)
    waiting.delete(next.name)
    ordered.push({ name: next.name, columns: next.columns })
  }
  return ordered
}
