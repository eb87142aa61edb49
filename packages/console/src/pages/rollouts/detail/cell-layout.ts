/** How the hosts of a wave are drawn: few with their names, many as squares. */
export interface CellLayout {
  readonly hasNames: boolean
  readonly columns: number
  readonly cellPixels: number
}

export const gapPixels = 4
/** With the gap, squares are far enough apart for a finger. */
const squarePixels = 20
const namedPixels = 200
const maxNamed = 40

const fitting = (widthPixels: number, cellPixels: number): number =>
  Math.max(1, Math.floor((widthPixels + gapPixels) / (cellPixels + gapPixels)))

export function layoutCells(count: number, widthPixels: number): CellLayout {
  if (count > maxNamed)
    return { hasNames: false, columns: fitting(widthPixels, squarePixels), cellPixels: squarePixels }
  const columns = fitting(widthPixels, namedPixels)
  const cellPixels = Math.floor((widthPixels - gapPixels * (columns - 1)) / columns)
  return { hasNames: true, columns, cellPixels: Math.max(squarePixels, cellPixels) }
}

export const rowsOf = <T>(cells: readonly T[], columns: number): T[][] =>
  Array.from({ length: Math.ceil(cells.length / columns) }, (_, row) => cells.slice(row * columns, (row + 1) * columns))

interface FocusMove {
  readonly key: string
  readonly isControl: boolean
  readonly index: number
  readonly count: number
  readonly columns: number
}

/** Rows of a page up or down. */
const pageRows = 5

/** The cell that a key moves the focus to, as in a grid of ARIA; undefined for other keys. */
export function focusAfterKey({ key, isControl, index, count, columns }: FocusMove): number | undefined {
  const column = index % columns
  const rowStart = index - column
  const last = count - 1
  /** A shorter last row has no cell in some columns. */
  const vertically = (rows: number): number => {
    const moved = index + rows * columns
    if (moved < 0) return column
    if (moved <= last) return moved
    const inLastRow = last - (last % columns) + column
    return inLastRow <= last ? inLastRow : Math.max(index, inLastRow - columns)
  }
  switch (key) {
    case 'ArrowRight':
      return Math.min(last, index + 1)
    case 'ArrowLeft':
      return Math.max(0, index - 1)
    case 'ArrowDown':
      return vertically(1)
    case 'ArrowUp':
      return vertically(-1)
    case 'PageDown':
      return vertically(pageRows)
    case 'PageUp':
      return vertically(-pageRows)
    case 'Home':
      return isControl ? 0 : rowStart
    case 'End':
      return isControl ? last : Math.min(last, rowStart + columns - 1)
    default:
      return undefined
  }
}
