import type { Screen } from '../io.ts'
import { type Colours, paintState } from './colours.ts'
import { printable, printableJson, printableLines } from './printable.ts'
import { bytes } from './quantities.ts'
import { tableText } from './table.ts'
import { padded } from './width.ts'

export const forms = ['table', 'json', 'ndjson'] as const
export type Form = (typeof forms)[number]

export type Row = Readonly<Record<string, unknown>>

/** Which fields a table shows; the other forms have them all. */
export type Columns = readonly string[]

/** The one place that data leaves by. */
export class Output {
  readonly form: Form
  readonly #screen: Screen
  readonly #colours: Colours

  constructor(screen: Screen, form: Form, colours: Colours) {
    this.#screen = screen
    this.form = form
    this.#colours = colours
  }

  /** Records: a table, an array, or one per line. */
  list(rows: readonly object[], columns: Columns): void {
    if (this.form === 'json') this.#write(`${printableJson(rows, 2)}\n`)
    else if (this.form === 'ndjson') this.#write(rows.map((row) => `${printableJson(row)}\n`).join(''))
    else if (rows.length > 0) this.#write(this.#table(rows as readonly Row[], columns))
  }

  /** One record, with everything that is known about it. */
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

  /** One of a stream: as it comes, whatever the form. */
  item(item: object, line: string): void {
    this.#write(this.form === 'table' ? `${line}\n` : `${printableJson(item)}\n`)
  }

  /** Text for people; whoever asked for JSON gets `data` instead. */
  text(text: string, data: object): void {
    if (this.form === 'table') this.#write(text.endsWith('\n') ? text : `${text}\n`)
    else this.record(data)
  }

  /** Byte for byte. */
  raw(text: string): void {
    this.#write(text)
  }

  #table(rows: readonly Row[], columns: Columns): string {
    const cells = rows.map((row) => columns.map((name) => cellText(name, row[name])))
    return tableText(columns.map(titleOf), cells, {
      columns: this.#screen.columns,
      title: this.#colours.bold,
      cell: (text) => paintState(this.#colours, text),
    })
  }

  #write(text: string): void {
    this.#screen.write(text)
  }
}

/** `installPath` → `INSTALL PATH` */
const titleOf = (name: string): string => name.replace(/(?<=[a-z])(?=[A-Z])/g, ' ').toUpperCase()

const isByteCount = /^(size|actualSize|memoryBytes)$|Capacity$/

/** Beside its name a text of several lines has room. */
const fieldText = (name: string, value: unknown, indent: number): string =>
  typeof value === 'string' && value.includes('\n')
    ? printableLines(value).replaceAll('\n', `\n${' '.repeat(indent)}`)
    : cellText(name, value)

/** What is unknown is a dash. */
function cellText(name: string, value: unknown): string {
  if (value === null || value === undefined || value === '') return '-'
  if (typeof value === 'number' && isByteCount.test(name)) return bytes(value)
  if (Array.isArray(value) && value.every((item) => typeof item === 'string')) return printable(value.join(', ')) || '-'
  return printable(typeof value === 'object' ? JSON.stringify(value) : String(value))
}
