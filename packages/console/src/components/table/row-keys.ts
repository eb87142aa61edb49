/**
 * The keys of the rows of a table. On a page, a record keeps its row wherever it moves; a page that the user turns to takes over
 * the rows of the one before, which is faster than to create them.
 */
export class RowKeys {
  #page: string | undefined
  #keys: ReadonlyMap<string, string> = new Map()
  #next = 0

  /** `page`: a text that differs when the user shows other records. Returns the key of a record; one of another page has its own. */
  assign(page: string, records: readonly string[]): (record: string) => string {
    const known = page === this.#page ? this.#keys : undefined
    if (known === undefined) this.#next = 0
    const keys = new Map(records.map((record) => [record, known?.get(record) ?? `row ${this.#next++}`]))
    this.#page = page
    this.#keys = keys
    return (record) => keys.get(record) ?? record
  }
}
