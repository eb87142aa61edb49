import { objectFactory } from '@wharf/platform/object-shape.ts'
import { oncePerNames } from '@wharf/platform/shared-names.ts'

/** A row as an object, for readers that need its values by name. */
export type Row = Record<string, unknown>

const factoryOf = oncePerNames(objectFactory)

/**
 * The rows of a statement as the engines return them: lists of values in the order of the names, from which a response creates its
 * records directly.
 */
export class RowList {
  static readonly none = new RowList([], [])
  /** One list for equal names (`sharedNames`), for which code is generated once. */
  readonly names: readonly string[]
  readonly lists: readonly unknown[][]

  constructor(names: readonly string[], lists: readonly unknown[][]) {
    this.names = names
    this.lists = lists
  }

  get length(): number {
    return this.lists.length
  }

  objects(): Row[] {
    return this.lists.map(factoryOf(this.names))
  }

  toJSON(): Row[] {
    return this.objects()
  }
}
