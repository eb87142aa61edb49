interface SizedColumn {
  readonly id: string
  readonly width: number
}

/**
 * The width of each column. Columns that the user has resized keep their width; the others share the remaining space in
 * proportion to their own widths, and never become narrower than those.
 */
export function fitWidths(
  columns: readonly SizedColumn[],
  resized: Readonly<Record<string, number>>,
  available: number,
): ReadonlyMap<string, number> {
  const isResized = ({ id }: SizedColumn): boolean => resized[id] !== undefined
  const flexible = columns.filter((column) => !isResized(column))
  const taken = columns.filter(isResized).reduce((sum, { id }) => sum + (resized[id] ?? 0), 0)
  const wanted = flexible.reduce((sum, { width }) => sum + width, 0)
  const scale = wanted === 0 ? 1 : Math.max(1, (available - taken) / wanted)
  return new Map(columns.map(({ id, width }) => [id, resized[id] ?? Math.floor(width * scale)]))
}

/** Less is a scroll bar that appears. */
const minChange = 40

/** The new width, or the known one if it has hardly changed or the table is hidden. */
export const changedWidth = (known: number | undefined, width: number): number | undefined =>
  width === 0 || Math.abs(width - (known ?? 0)) < minChange ? known : width
