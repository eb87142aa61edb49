import type { ReactNode } from 'react'
import type { BulkAction } from './bulk/bulk-action.ts'
import type { Column } from './column.ts'

/** How a list is shown, whatever its records are read from. */
export interface ListProps<R> {
  readonly title: string
  readonly description?: string
  /** Below the title of a page, a list has a smaller one. */
  readonly isSection?: boolean
  /** The first column names the record; it is always shown, and is the title of a card. */
  readonly columns: readonly Column<R>[]
  readonly path: readonly string[]
  readonly actions?: ReactNode
  /** Shown when there are no records. */
  readonly empty: string
  /** A button below `empty`. */
  readonly first?: ReactNode
  /** The field that free text searches. */
  readonly textField?: string
  /** Actions on the selected records. */
  readonly bulkActions?: readonly BulkAction<R>[]
  /** Buttons of each record. */
  readonly rowActions?: {
    readonly label: string
    readonly width: number
    readonly cell: (record: R) => ReactNode
  }
}
