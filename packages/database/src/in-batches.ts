/** PostgreSQL allows 65,535 values in one statement, SQLite 32,766. */
export const rowsPerStatement = 500

/** For a statement that contains a value of every row: runs it for a part of the rows at a time. */
export async function inBatches<Row>(
  rows: readonly Row[],
  write: (batch: readonly Row[]) => Promise<unknown>,
): Promise<void> {
  for (let at = 0; at < rows.length; at += rowsPerStatement) await write(rows.slice(at, at + rowsPerStatement))
}
