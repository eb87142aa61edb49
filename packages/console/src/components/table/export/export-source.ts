import type { Column } from '../column.ts'

/** What is exported. */
export interface ExportSource<R> {
  /** The name of the file without its ending. */
  readonly name: string
  /** The shown columns. */
  readonly columns: readonly Column<R>[]
  readonly total: number | undefined
  readonly readAll: (signal: AbortSignal) => AsyncIterable<readonly R[]>
}
