/** What a user has chosen for a table. */
export interface TablePreferences {
  readonly pageSize: number
  readonly wrapLines: boolean
  readonly contentDensity: 'comfortable' | 'compact'
  /** All columns in their order. */
  readonly contentDisplay: readonly { readonly id: string; readonly visible: boolean }[]
  /** The columns that the user has resized, in pixels. */
  readonly widths: Readonly<Record<string, number>>
}

export const pageSizes = [25, 50, 100] as const

interface KnownColumn {
  readonly field: string
  readonly isOptional?: boolean
}

/** Reads stored preferences; columns that were added since have their default, removed ones are dropped. */
export function parsePreferences(stored: unknown, columns: readonly KnownColumn[]): TablePreferences {
  const { pageSize, wrapLines, contentDensity, contentDisplay, widths } = objectOf(stored)
  const fields = columns.map(({ field }) => field)
  const kept = listOf(contentDisplay).flatMap((one) => {
    const { id, visible } = objectOf(one)
    return typeof id === 'string' && fields.includes(id) ? [{ id, visible: visible !== false }] : []
  })
  const added = columns.filter(({ field }) => !kept.some(({ id }) => id === field))
  const display = [...kept, ...added.map(({ field, isOptional }) => ({ id: field, visible: isOptional !== true }))]
  const [first] = fields
  return {
    pageSize: pageSizes.find((size) => size === pageSize) ?? pageSizes[0],
    wrapLines: wrapLines === true,
    contentDensity: contentDensity === 'compact' ? 'compact' : 'comfortable',
    // the first column names the record
    contentDisplay: [
      ...(first === undefined ? [] : [{ id: first, visible: true }]),
      ...display.filter(({ id }) => id !== first),
    ],
    widths: Object.fromEntries(
      Object.entries(objectOf(widths)).filter(
        (entry): entry is [string, number] => fields.includes(entry[0]) && isWidth(entry[1]),
      ),
    ),
  }
}

const isWidth = (value: unknown): value is number => typeof value === 'number' && value > 0 && value < 10_000

const objectOf = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : {}

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])
