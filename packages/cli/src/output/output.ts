import type { OutputStream } from '../io.ts'
import { type Colours, paintState } from './colours.ts'
import type { Form, Format } from './format.ts'
import { formatBytes } from './format-quantities.ts'
import { printable, printableJson, printableLines } from './printable.ts'
import { tableText } from './table.ts'
import { padded } from './text-width.ts'

export type Row = Readonly<Record<string, unknown>>

/** The fields of a table; JSON contains all fields. */
export type Columns = readonly string[]

export interface ListLayout {
  readonly columns: Columns
  /** Further columns of -o wide. */
  readonly wide?: Columns | undefined
  /** The field that -o name prints. */
  readonly nameField?: string | undefined
}

/** Writes data to stdout. */
export class Output {
  readonly form: Form
  readonly #format: Format
  readonly #stream: OutputStream
  readonly #colours: Colours

  constructor(stream: OutputStream, format: Format, colours: Colours) {
    this.#stream = stream
    this.#format = format
    this.form = format.form
    this.#colours = colours
  }

  /** True for tables, which show names and times for people. */
  get isTable(): boolean {
    return this.form === 'table' || this.form === 'wide'
  }

  /** Prints records as a table, or all of them as one value, or one value per line. */
  list(rows: readonly object[], columnsOrLayout: Columns | ListLayout): void {
    const layout = 'columns' in columnsOrLayout ? columnsOrLayout : { columns: columnsOrLayout }
    if (this.form === 'json') this.#write(`${printableJson(rows, 2)}\n`)
    else if (this.form === 'ndjson') this.#write(rows.map((row) => `${printableJson(row)}\n`).join(''))
    else if (this.form === 'name') this.#write(rows.map((row) => this.#name(row, layout.nameField)).join(''))
    // as kubectl does, so that one template fits both
    else if (this.form === 'jsonpath') this.#writeText({ items: rows })
    else if (this.form === 'yaml') this.#writeText(rows)
    else if (rows.length > 0) this.#write(this.tableText(rows as readonly Row[], layout))
  }

  /** Prints one record with all its fields. */
  record(record: object, nameField?: string): void {
    if (this.form === 'json') this.#write(`${printableJson(record, 2)}\n`)
    else if (this.form === 'ndjson') this.#write(`${printableJson(record)}\n`)
    else if (this.form === 'name') this.#write(this.#name(record, nameField))
    else if (this.isTable) this.#write(this.#fields(record))
    else this.#writeText(record)
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
    if (this.isTable) this.#write(`${line}\n`)
    else if (this.form === 'name') this.#write(this.#name(item))
    else if (this.form === 'yaml') this.#write(`---\n${this.#textOf(item)}`)
    else if (this.form === 'jsonpath') this.#writeText(item)
    else this.#write(`${printableJson(item)}\n`)
  }

  /** Prints the text, or in other forms the data. */
  text(text: string, data: object): void {
    if (this.isTable) this.#write(text.endsWith('\n') ? text : `${text}\n`)
    else this.record(data)
  }

  /** Prints the text unchanged in every form. */
  raw(text: string): void {
    this.#write(text)
  }

  /** Wide tables are not cut. */
  tableText(rows: readonly Row[], { columns, wide = [] }: ListLayout): string {
    const shown = this.form === 'wide' ? [...columns, ...wide] : columns
    const cells = rows.map((row) => shown.map((name) => cellText(name, row[name])))
    return tableText(shown.map(titleOf), cells, {
      columns: this.form === 'wide' ? undefined : this.#stream.columns,
      title: this.#colours.bold,
      cell: (text) => paintState(this.#colours, text),
    })
  }

  /** A line that other commands accept as a name. */
  #name(record: object, field = 'name'): string {
    const { [field]: name, uuid } = record as Row
    return `${this.#safe(String(name ?? uuid ?? Object.values(record)[0] ?? ''))}\n`
  }

  #textOf(value: unknown): string {
    return this.#format.textOf?.(value) ?? ''
  }

  #writeText(value: unknown): void {
    this.#write(this.#safe(this.#textOf(value)))
  }

  /** Scripts get the exact text. */
  #safe(text: string): string {
    return this.#stream.isTTY ? printableLines(text) : text
  }

  #write(text: string): void {
    this.#stream.write(text)
  }
}

/** `installPath` → `INSTALL PATH` */
const titleOf = (name: string): string => name.replace(/(?<=[a-z])(?=[A-Z])/g, ' ').toUpperCase()

const isByteCount = /^(size|actualSize|bytes)$|Capacity$|Bytes$/

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
  if (isTextMap(value))
    return (
      printable(
        Object.entries(value)
          .map((pair) => pair.join('='))
          .join(', '),
      ) || '-'
    )
  return printable(typeof value === 'object' ? JSON.stringify(value) : String(value))
}

/** Labels. */
const isTextMap = (value: unknown): value is Record<string, string> =>
  typeof value === 'object' &&
  !Array.isArray(value) &&
  Object.values(value as object).every((item) => typeof item === 'string')
