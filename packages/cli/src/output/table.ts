import { shortened, widthOf } from './text-width.ts'

export interface TableStyle {
  /** The width of the terminal; undefined for unlimited lines. */
  readonly columns: number | undefined
  readonly title: (text: string) => string
  readonly cell: (text: string) => string
}

const gap = '  '

/** A shortened column keeps this width; uuids are never shortened, because users copy them. */
const minWidth = 12
const uuidWidth = 32

/** Shortens the widest columns to fit the terminal, then omits the last ones. */
export function tableText(titles: readonly string[], rows: readonly (readonly string[])[], style: TableStyle): string {
  const widths = fitWidths(contentWidths(titles, rows), titles, style.columns)
  const line = (cells: readonly string[], paint: (text: string) => string): string =>
    widths
      .map((width, index) => {
        const text = shortened(cells[index] ?? '', width)
        // coloured last: escape sequences have no width
        return paint(text) + (index === widths.length - 1 ? '' : ' '.repeat(width - widthOf(text)))
      })
      .join(gap)
      .trimEnd()
  return [line(titles, style.title), ...rows.map((row) => line(row, style.cell))].map((text) => `${text}\n`).join('')
}

const contentWidths = (titles: readonly string[], rows: readonly (readonly string[])[]): number[] =>
  titles.map((title, index) => Math.max(widthOf(title), ...rows.map((row) => widthOf(row[index] ?? ''))))

function fitWidths(natural: readonly number[], titles: readonly string[], columns: number | undefined): number[] {
  if (columns === undefined) return [...natural]
  const least = natural.map((width, index) => Math.min(width, /UUID$/.test(titles[index] ?? '') ? uuidWidth : minWidth))
  if (natural.length > 1 && total(least) > columns) return fitWidths(natural.slice(0, -1), titles, columns)
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
