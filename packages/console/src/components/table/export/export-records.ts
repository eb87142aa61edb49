import { type Column, textOf } from '../column.ts'
import { byteOrderMark, csvLine } from './csv.ts'

export type ExportFormat = 'csv' | 'json'

const types: Readonly<Record<ExportFormat, string>> = { csv: 'text/csv', json: 'application/json' }

export interface ExportOptions<R> {
  readonly format: ExportFormat
  /** The columns of a CSV file; JSON contains whole records. */
  readonly columns: readonly Pick<Column<R>, 'field' | 'label' | 'text'>[]
  readonly pages: AsyncIterable<readonly R[]>
  readonly signal: AbortSignal
  /** Called with the number of records after each page. */
  readonly onProgress: (count: number) => void
}

/** Writes all records into a Blob, page by page: the browser can keep what it has received on disk. */
export async function exportRecords<R>(options: ExportOptions<R>): Promise<Blob> {
  const { format, columns, pages, signal, onProgress } = options
  const type = types[format]
  let count = 0
  let file = new Blob([format === 'csv' ? byteOrderMark + csvLine(columns.map(({ label }) => label)) : '['], { type })
  for await (const records of pages) {
    signal.throwIfAborted()
    const text =
      format === 'csv'
        ? records.map((record) => csvLine(columns.map((column) => textOf(column, record))))
        : records.map((record, index) => `${count + index === 0 ? '' : ','}\n${JSON.stringify(record)}`)
    file = new Blob([file, ...text], { type })
    count += records.length
    onProgress(count)
  }
  signal.throwIfAborted()
  return format === 'csv' ? file : new Blob([file, '\n]\n'], { type })
}
