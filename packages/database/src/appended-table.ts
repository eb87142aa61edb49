import { listFactory } from '@wharf/platform/object-shape.ts'
import { CompiledQuery } from 'kysely'
import type { Engine, Tx } from './database.ts'
import { inBatches } from './in-batches.ts'
import { repeatedQuery } from './repeated-query.ts'

type ColumnType = 'text' | 'bigint' | 'integer'

type Write = () => Promise<void>

interface Options {
  /** Rows that already exist are left as they are. */
  readonly skipsExisting?: boolean
  /** Runs a write of rows before a commit, and handles its failure. */
  readonly guard?: (write: Write) => Promise<void>
}

/**
 * A table that rows are appended to very often, by statements whose texts are always the same, so that they are prepared
 * once. PostgreSQL gets many rows in one statement; SQLite runs one statement many times.
 */
export class AppendedTable {
  readonly #columns: readonly string[]
  readonly #types: readonly ColumnType[]
  readonly #valuesOf: (row: object) => unknown[]
  readonly #into: string
  readonly #onConflict: string
  readonly #sqliteText: string
  readonly guard: (write: Write) => Promise<void>

  /** `types`: those of the written columns in PostgreSQL. */
  constructor(
    name: string,
    types: Readonly<Record<string, ColumnType>>,
    { skipsExisting = false, guard = (write) => write() }: Options = {},
  ) {
    this.guard = guard
    this.#columns = Object.keys(types)
    this.#types = Object.values(types)
    this.#valuesOf = listFactory(this.#columns)
    this.#into = `insert into "${name}" ("${this.#columns.join('", "')}")`
    this.#onConflict = skipsExisting ? ' on conflict do nothing' : ''
    this.#sqliteText = `${this.#into} values (${this.#columns.map(() => '?').join(', ')})${this.#onConflict}`
  }

  async insert(engine: Engine, tx: Tx, rows: readonly object[]): Promise<void> {
    await inBatches(rows, (batch) => tx.executeQuery(insertTogether(engine, [[this, batch]])))
  }

  /** For SQLite. */
  repeated(rows: readonly object[]) {
    return { sql: this.#sqliteText, lists: rows.map(this.#valuesOf) }
  }

  /** For PostgreSQL, with its values from this position on: of one row, or a list for each column. */
  text(position: number, count: number): string {
    if (count === 1) {
      const marks = this.#columns.map((_, index) => `$${position + index}`)
      return `${this.#into} values (${marks.join(', ')})${this.#onConflict}`
    }
    const lists = this.#types.map((type, index) => `$${position + index}::${type}[]`)
    return `${this.#into} select * from unnest(${lists.join(', ')})${this.#onConflict}`
  }

  values(rows: readonly object[]): unknown[] {
    const [first, second] = rows
    if (first !== undefined && second === undefined) return this.#valuesOf(first)
    const lists = rows.map(this.#valuesOf)
    return this.#columns.map((_, index) => lists.map((list) => list[index]))
  }
}

/** One query for the rows of several tables; `suffix` is added to that of PostgreSQL. */
export function insertTogether(
  engine: Engine,
  tables: readonly (readonly [AppendedTable, readonly object[]])[],
  suffix = '',
): CompiledQuery {
  if (engine === 'sqlite') return repeatedQuery(...tables.map(([table, rows]) => table.repeated(rows)))
  const values: unknown[] = []
  const texts = tables.map(([table, rows]) => {
    const text = table.text(values.length + 1, rows.length)
    values.push(...table.values(rows))
    return text
  })
  const last = texts.pop() ?? ''
  const others = texts.map((text, index) => `"part${index}" as (${text})`)
  return CompiledQuery.raw(`${others.length === 0 ? '' : `with ${others.join(', ')} `}${last}${suffix}`, values)
}
