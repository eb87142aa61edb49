/**
 * The React keys of the rows of a table. In a view, which is a page in its order with its filter, a record keeps its key; the next view
 * reuses the keys by position, so that React changes the rows instead of creating them.
 */
export class RowKeys {
  #view: string | undefined
  #keys: ReadonlyMap<string, string> = new Map()
  #next = 0

  /** Returns the key of a record; one that is not in the view has its own. */
  assign(view: string, records: readonly string[]): (record: string) => string {
    const known = view === this.#view ? this.#keys : undefined
    if (known === undefined) this.#next = 0
    const keys = new Map(records.map((record) => [record, known?.get(record) ?? `row ${this.#next++}`]))
    this.#view = view
    this.#keys = keys
    return (record) => keys.get(record) ?? record
  }
}
