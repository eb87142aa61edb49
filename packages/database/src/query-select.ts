import type { Engine } from './database.ts'
import type { Field, Kind } from './query-fields.ts'
import type { RowList } from './row-list.ts'

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
  finish(rows: RowList): RowList
  /** A row has at most so many characters. */
  length: number
}

/** Of the kinds whose column values have another type. */
const readers: { readonly [K in Kind]?: (stored: unknown) => unknown } = {
  boolean: (stored) => (stored === null ? null : stored === 1),
  json: (stored) => (typeof stored === 'string' ? JSON.parse(stored) : stored),
}

export function selection(fields: Field[]): Selection {
  const conversions = fields.flatMap(({ kind, readable }, column) => {
    const read = readable ? readers[kind] : undefined
    return read === undefined ? [] : [{ column, read }]
  })
  return {
    columns: `select ${fields.map((f) => f.selected).join(', ')}`,
    length: fields.reduce((sum, field) => sum + field.length, 0),
    finish: (rows) => {
      for (const { column, read } of conversions) for (const row of rows.lists) row[column] = read(row[column])
      return rows
    },
  }
}
