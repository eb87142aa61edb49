import type { TableProps } from '@cloudscape-design/components/table'
import { Fragment, type ReactNode } from 'react'
import { type Column, textOf } from './column.ts'
import { TruncatedCell } from './TruncatedCell.tsx'

/** Widths in pixels of columns that declare none. */
const nameWidth = 220
const measureWidth = 185
const otherWidth = 145

export const widthOf = <R,>({ width, isMeasure, cell }: Column<R>, index: number): number =>
  width ?? (index === 0 ? nameWidth : isMeasure && cell ? measureWidth : otherWidth)

/** Narrower columns show nothing but dots. */
const minWidth = 80

export const cellOf = <R,>(column: Column<R>, record: R, none: string): ReactNode =>
  column.cell ? column.cell(record) : textOf(column, record) || none

interface DefinitionOptions<R> {
  readonly width: number | undefined
  readonly isRowHeader: boolean
  readonly isSortable: boolean
  readonly wrapLines: boolean
  /** Shown for an unknown value. */
  readonly none: string
  readonly keyOf: (record: R) => string
}

export function columnDefinition<R>(column: Column<R>, options: DefinitionOptions<R>): TableProps.ColumnDefinition<R> {
  const { width, isRowHeader, isSortable, wrapLines, none, keyOf } = options
  // bars and times have no text that an ellipsis could end
  const isTruncated = !wrapLines && !(column.isMeasure && column.cell)
  return {
    id: column.field,
    header: column.label,
    isRowHeader,
    minWidth,
    ...(width === undefined ? {} : { width }),
    ...(isSortable ? { sortingField: column.field } : {}),
    cell: (record) => {
      const content = cellOf(column, record, none)
      // rows are reused for other records, but what is in a cell may read or hold something of its record
      const key = keyOf(record)
      if (!isTruncated) return <Fragment key={key}>{content}</Fragment>
      return (
        <TruncatedCell key={key} text={textOf(column, record) || none} lines={column.lines}>
          {content}
        </TruncatedCell>
      )
    },
  }
}
