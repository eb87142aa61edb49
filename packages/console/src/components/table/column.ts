import type { AnswerOf } from '@wharf/contract'
import type { ReactNode } from 'react'
import type { Choice } from '../choice-labels.ts'

/** A record of a list: `fields` may omit any field. */
export type RecordOf<O> = AnswerOf<O> extends { inventories?: readonly (infer R)[] } ? R : never

export interface Column<R> {
  /** Filterable; sortable where the server has an index. */
  readonly field: string & keyof R
  readonly label: string
  readonly cell?: (record: R) => ReactNode
  /** The shown text, for the tooltip of a truncated cell and for CSV; by default the value of the field. */
  readonly text?: (record: R) => string
  /** Numbers and times have comparison operators in the filter. */
  readonly isMeasure?: boolean
  /** Values to choose from in the filter, with a label where the value is a uuid. */
  readonly choices?: readonly Choice[]
  /** Values that the filter suggests; others can be entered. */
  readonly suggestions?: readonly string[]
  /** In pixels; a page with more space widens all columns. */
  readonly width?: number
  /** A text may take two lines, where rows have two anyway; defaults to 1. */
  readonly lines?: 1 | 2
  /** Hidden until the user shows it in the preferences. */
  readonly isOptional?: boolean
  /** Derived from several fields: it is neither filtered nor sorted. */
  readonly isDerived?: boolean
  /** Each cell reads its own value, so it is not exported. */
  readonly isReadPerCell?: boolean
}

/** The value of a column as text; empty for an unknown value. */
export function textOf<R>({ field, text }: Pick<Column<R>, 'field' | 'text'>, record: R): string {
  if (text) return text(record)
  const value: unknown = record[field]
  if (value === null || value === undefined) return ''
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}
