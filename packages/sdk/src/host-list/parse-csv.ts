/** A row of a CSV file, with the line that it starts on. */
export interface CsvRow {
  readonly line: number
  readonly cells: readonly string[]
}

/** A file that cannot be read as what it should be; `line` is where. */
export class CsvError extends Error {
  override readonly name: string = 'CsvError'
  readonly line: number

  constructor(line: number, problem: string) {
    super(`line ${line}: ${problem}`)
    this.line = line
  }
}

/** RFC 4180: commas, quotes around what contains one, doubled quotes inside, LF or CRLF. Empty lines are omitted. */
export function parseCsv(text: string): CsvRow[] {
  const rows: CsvRow[] = []
  let line = 1
  let start = 1
  let cells: string[] = []
  let at = text.startsWith('\ufeff') ? 1 : 0
  const endRow = (): void => {
    if (cells.some((cell) => cell !== '')) rows.push({ line: start, cells })
    cells = []
    start = line
  }
  while (at < text.length) {
    const { cell, end, lines } = text[at] === '"' ? quotedCell(text, at, line) : plainCell(text, at, line)
    cells.push(cell)
    line += lines
    at = end
    if (text[at] === ',') {
      at++
      // the row ends with an empty cell
      if (at === text.length) cells.push('')
      continue
    }
    if (text[at] === '\r') at++
    if (text[at] === '\n') at++
    line++
    endRow()
  }
  endRow()
  return rows
}

interface Cell {
  readonly cell: string
  readonly end: number
  /** Line ends inside it. */
  readonly lines: number
}

function plainCell(text: string, from: number, line: number): Cell {
  let end = from
  while (end < text.length && text[end] !== ',' && text[end] !== '\n' && text[end] !== '\r') end++
  const cell = text.slice(from, end)
  if (cell.includes('"'))
    throw new CsvError(line, 'a quote inside a value; put the whole value in quotes and double the quote')
  return { cell, end, lines: 0 }
}

function quotedCell(text: string, from: number, line: number): Cell {
  let cell = ''
  for (let at = from + 1; ; ) {
    const quote = text.indexOf('"', at)
    if (quote === -1) throw new CsvError(line, 'a value starts with a quote that is not closed')
    cell += text.slice(at, quote)
    at = quote + 1
    if (text[at] === '"') {
      cell += '"'
      at++
      continue
    }
    if (at < text.length && !',\r\n'.includes(text[at] ?? ''))
      throw new CsvError(line, 'text after the closing quote of a value')
    return { cell, end: at, lines: cell.split('\n').length - 1 }
  }
}
