import { type AppendedTable, insertTogether } from './appended-table.ts'
import { type Engine, lastBeforeCommit, type Tx, wholeOf } from './database.ts'
import { rowsPerStatement } from './in-batches.ts'
import { TransactionValue } from './transaction-value.ts'

/** At the end of a statement of PostgreSQL that is the last one of its transaction: the connection commits with it. */
export const thenCommit = '; commit'

/** The rows that the last statement of a transaction appends. */
const collected = new TransactionValue<Map<AppendedTable, object[]>>()

/**
 * Appends rows that the transaction does not read itself. They are its last statement, one for the rows of all tables and of
 * all parts of the transaction; with PostgreSQL together with the commit.
 */
export function appendBeforeCommit(engine: Engine, tx: Tx, table: AppendedTable, rows: readonly object[]): void {
  if (rows.length === 0) return
  const whole = wholeOf(tx)
  const known = collected.get(whole)
  const tables = known ?? new Map<AppendedTable, object[]>()
  const earlier = tables.get(table)
  if (earlier === undefined) tables.set(table, [...rows])
  else for (const row of rows) earlier.push(row)
  if (known !== undefined) return
  collected.set(whole, tables)
  lastBeforeCommit(whole, () => insertAll(engine, whole, [...tables]))
}

type Rows = readonly [AppendedTable, readonly object[]]

async function insertAll(engine: Engine, tx: Tx, tables: readonly Rows[]): Promise<void> {
  const isLong = ([, rows]: Rows): boolean => rows.length > rowsPerStatement
  for (const [table, rows] of tables.filter(isLong)) await table.guard(() => table.insert(engine, tx, rows))
  const short = tables.filter((rows) => !isLong(rows))
  if (short.length === 0) return
  let write = async (): Promise<void> => void (await tx.executeQuery(insertTogether(engine, short, thenCommit)))
  for (const [table] of short) {
    const guarded = write
    write = () => table.guard(guarded)
  }
  await write()
}
