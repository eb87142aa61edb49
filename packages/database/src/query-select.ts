import type { Engine } from './database.ts'
import type { Field } from './query-fields.ts'

export type Row = Record<string, unknown>

/**
 * A total order: uuid breaks ties, in the direction of the field, so that one index on (field, uuid) serves both
 * directions. NULLs are first ascending and last descending, the default of SQLite. PostgreSQL gets this explicitly, but
 * only where NULLs are possible, because its indexes have the opposite order.
 */
export function orderSql(
  engine: Engine,
  field: Field | undefined,
  uuid: Field | undefined,
  descending = false,
): string {
  if (field === undefined) return ''
  const nulls = engine === 'postgres' && field.nullable ? (descending ? ' nulls last' : ' nulls first') : ''
  const direction = descending ? ' desc' : ''
  const tie = uuid && field !== uuid ? `, ${uuid.expression}${direction}` : ''
  return ` order by ${field.expression}${direction}${nulls}${tie}`
}

export interface Selection {
  columns: string
  /** Converts column values to the types of the inventory. */
  finish(rows: Row[]): Row[]
  /** A row has at most so many characters. */
  length: number
}

export function selection(fields: Field[]): Selection {
  const flags = fields.filter((f) => f.readable && f.kind === 'boolean').map((f) => f.name)
  const texts = fields.filter((f) => f.readable && f.kind === 'json').map((f) => f.name)
  const finish = (rows: Row[]): Row[] => {
    for (const row of rows) {
      for (const name of flags) if (row[name] !== null) row[name] = row[name] === 1
      for (const name of texts) if (typeof row[name] === 'string') row[name] = JSON.parse(row[name])
    }
    return rows
  }
  return {
    columns: `select ${fields.map((f) => f.selected).join(', ')}`,
    length: fields.reduce((sum, field) => sum + field.length, 0),
    finish: flags.length + texts.length === 0 ? (rows) => rows : finish,
  }
}
