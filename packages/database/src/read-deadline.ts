import type { DatabaseSync } from 'node:sqlite'

/** Thrown by a statement at its deadline. */
export const deadlineExceeded = new Error('the statement has exceeded its deadline')

/**
 * node:sqlite cannot interrupt a statement, but a function that it calls can end it: statements of the query language call
 * `within_deadline()` for the rows that they visit.
 */
export class ReadDeadline {
  #until = Number.POSITIVE_INFINITY

  constructor(raw: DatabaseSync) {
    raw.function('within_deadline', () => {
      if (this.isOver) throw deadlineExceeded
      return 1
    })
  }

  get isOver(): boolean {
    return performance.now() > this.#until
  }

  /** For the next statement that calls the function. */
  set(ms: number): void {
    this.#until = performance.now() + ms
  }
}

/** For every row. */
export const everyRow = 'likelihood(within_deadline(), 1.0)'

/** For one row of 64: a call costs as much as visiting several rows. */
export const someRows = (table: string): string => `likelihood((${table}."rowid" & 63) <> 0 or within_deadline(), 1.0)`
