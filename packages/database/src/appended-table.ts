import { CompiledQuery } from 'kysely'
import type { Engine, Tx } from './database.ts'
import { inBatches } from './in-batches.ts'

interface Options {
  /** Rows that already exist are left as they are. */
  readonly skipsExisting?: boolean
}

/**
 * A table that rows are appended to very often, by statements whose texts are always the same, so that they are prepared
 * once. PostgreSQL gets many rows in one statement; SQLite has no round trips to save.
 */
export class AppendedTable {
  readonly #columns: readonly string[]
  readonly #texts: Readonly<Record<Engine, string>>

  /** `types`: those of the written columns in PostgreSQL. */
  constructor(
    name: string,
    types: Readonly<Record<string, 'text' | 'bigint' | 'integer'>>,
    { skipsExisting = false }: Options = {},
  ) {
    this.#columns = Object.keys(types)
    const into = `insert into "${name}" ("${this.#columns.join('", "')}")`
    const marks = this.#columns.map(() => '?')
    const arrays = Object.values(types).map((type, index) => `$${index + 1}::${type}[]`)
    const onConflict = skipsExisting ? ' on conflict do nothing' : ''
    this.#texts = {
      sqlite: `${into} values (${marks.join(', ')})${onConflict}`,
      postgres: `${into} select * from unnest(${arrays.join(', ')})${onConflict}`,
    }
  }

  async insert(engine: Engine, tx: Tx, rows: readonly object[]): Promise<void> {
    const text = this.#texts[engine]
    if (engine === 'sqlite') {
      for (const row of rows) {
        const values = this.#columns.map((name) => columnOf(row, name))
        await tx.executeQuery(CompiledQuery.raw(text, values))
      }
    } else
      await inBatches(rows, (batch) => {
        const values = this.#columns.map((name) => batch.map((row) => columnOf(row, name)))
        return tx.executeQuery(CompiledQuery.raw(text, values))
      })
  }
}

const columnOf = (row: object, name: string): unknown => (row as Record<string, unknown>)[name] ?? null
