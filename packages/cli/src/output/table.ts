import { padded, shortened, widthOf } from './width.ts'

export interface TableLook {
  /** Undefined where lines may be as long as they like. */
  readonly columns: number | undefined
  readonly title: (text: string) => string
  readonly cell: (text: string) => string
}

const gap = '  '

/** What gives way keeps at least so much; uuids are there to be copied and are shown whole. */
const narrowest = 12
const uuidWidth = 32

/** Lines under titles. Where it is too wide the widest columns give way, and when that is not enough the last are left out. */
export function tableText(titles: readonly string[], rows: readonly (readonly string[])[], look: TableLook): string {
  const widths = fitted(naturalWidths(titles, rows), titles, look.columns)
  const line = (cells: readonly string[], paint: (text: string) => string): string =>
    widths
      .map((width, index) => {
        const text = shortened(cells[index] ?? '', width)
        // painted last, since colours have no width
        return paint(text) + (index === widths.length - 1 ? '' : padded('', width - widthOf(text)))
      })
      .join(gap)
      .trimEnd()
  return [line(titles, look.title), ...rows.map((row) => line(row, look.cell))].map((text) => `${text}\n`).join('')
}

const naturalWidths = (titles: readonly string[], rows: readonly (readonly string[])[]): number[] =>
  titles.map((title, index) => Math.max(widthOf(title), ...rows.map((row) => widthOf(row[index] ?? ''))))

function fitted(natural: readonly number[], titles: readonly string[], columns: number | undefined): number[] {
  if (columns === undefined) return [...natural]
  const least = natural.map((width, index) =>
    Math.min(width, /UUID$/.test(titles[index] ?? '') ? uuidWidth : narrowest),
  )
  if (natural.length > 1 && total(least) > columns) return fitted(natural.slice(0, -1), titles, columns)
  const widths = [...natural]
  for (let excess = total(widths) - columns; excess > 0; excess--) {
    const [widest] = [...widths.keys()]
      .filter((index) => natural.length === 1 || (widths[index] ?? 0) > (least[index] ?? 0))
      .sort((a, b) => (widths[b] ?? 0) - (widths[a] ?? 0))
    if (widest !== undefined) widths[widest] = (widths[widest] ?? 0) - 1
  }
  return widths
}

const total = (widths: readonly number[]): number =>
  widths.reduce((sum, width) => sum + width, gap.length * (widths.length - 1))
