import type { Operation } from './operation.ts'

const row = (operation: Operation): string[] => [
  operation.method,
  operation.path,
  operation.name,
  operation.permission,
  operation.mode,
  operation.since,
]

/** One line per operation in aligned columns, so that a change of the API is a change of a line. */
export function operationsText(operations: readonly Operation[]): string {
  const rows = operations.map(row)
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((cells) => cells[column]?.length ?? 0)))
  const line = (cells: string[]) =>
    cells
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd()
  return rows.map((cells) => `${line(cells)}\n`).join('')
}
