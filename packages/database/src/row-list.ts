import { objectFactory } from '@wharf/platform/object-shape.ts'
import { oncePerNames } from './column-names.ts'

/** A row as an object, for readers that need its values by name. */
export type Row = Record<string, unknown>

const factoryOf = oncePerNames(objectFactory)

/**
 * The rows of a statement as the engines return them: lists of values, each in the order of the names. The objects of a
 * response are created from these directly, because creating an object takes as long as reading a few of its columns.
 */
export class RowList {
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
