import type { OutputStream } from '../io.ts'
import { type Colours, paintState } from './colours.ts'
import { formatBytes } from './format-quantities.ts'
import { printable, printableJson, printableLines } from './printable.ts'
import { tableText } from './table.ts'
import { padded } from './text-width.ts'

export const forms = ['table', 'json', 'ndjson'] as const
export type Form = (typeof forms)[number]

export type Row = Readonly<Record<string, unknown>>

/** The fields of a table; JSON contains all fields. */
export type Columns = readonly string[]

/** Writes data to stdout. */
export class Output {
  readonly form: Form
  readonly #stream: OutputStream
  readonly #colours: Colours

  constructor(stream: OutputStream, form: Form, colours: Colours) {
    this.#stream = stream
    this.form = form
    this.#colours = colours
  }

  /** Prints records as a table, a JSON array, or one JSON object per line. */
  list(rows: readonly object[], columns: Columns): void {
    if (this.form === 'json') this.#write(`${printableJson(rows, 2)}\n`)
    else if (this.form === 'ndjson') this.#write(rows.map((row) => `${printableJson(row)}\n`).join(''))
    else if (rows.length > 0) this.#write(this.#table(rows as readonly Row[], columns))
  }

  /** Prints one record with all its fields. */
  record(record: object): void {
    if (this.form === 'json') this.#write(`${printableJson(record, 2)}\n`)
    else if (this.form === 'ndjson') this.#write(`${printableJson(record)}\n`)
    else this.#write(this.#fields(record))
  }

  #fields(record: object): string {
    const fields = Object.entries(record)
    const width = Math.max(0, ...fields.map(([name]) => name.length))
    const lines = fields.map(
      ([name, value]) =>
        `${this.#colours.dim(padded(name, width))}  ${paintState(this.#colours, fieldText(name, value, width + 2))}`,
    )
    return lines.map((line) => `${line.trimEnd()}\n`).join('')
  }

  /** Prints one item of a stream; JSON is one object per line. */
  item(item: object, line: string): void {
    this.#write(this.form === 'table' ? `${line}\n` : `${printableJson(item)}\n`)
  }

  /** Prints the text, or with JSON the data. */
  text(text: string, data: object): void {
    if (this.form === 'table') this.#write(text.endsWith('\n') ? text : `${text}\n`)
    else this.record(data)
  }

  /** Prints the text unchanged in every form. */
  raw(text: string): void {
    this.#write(text)
  }

  #table(rows: readonly Row[], columns: Columns): string {
    const cells = rows.map((row) => columns.map((name) => cellText(name, row[name])))
    return tableText(columns.map(titleOf), cells, {
      columns: this.#stream.columns,
      title: this.#colours.bold,
      cell: (text) => paintState(this.#colours, text),
    })
  }

  #write(text: string): void {
    this.#stream.write(text)
  }
}

/** `installPath` → `INSTALL PATH` */
const titleOf = (name: string): string => name.replace(/(?<=[a-z])(?=[A-Z])/g, ' ').toUpperCase()

const isByteCount = /^(size|actualSize|memoryBytes)$|Capacity$/

/** Indents further lines of a text. */
const fieldText = (name: string, value: unknown, indent: number): string =>
  typeof value === 'string' && value.includes('\n')
    ? printableLines(value).replaceAll('\n', `\n${' '.repeat(indent)}`)
    : cellText(name, value)

/** A dash is an unknown value. */
function cellText(name: string, value: unknown): string {
  if (value === null || value === undefined || value === '') return '-'
  if (typeof value === 'number' && isByteCount.test(name)) return formatBytes(value)
  if (Array.isArray(value) && value.every((item) => typeof item === 'string')) return printable(value.join(', ')) || '-'
  return printable(typeof value === 'object' ? JSON.stringify(value) : String(value))
}
