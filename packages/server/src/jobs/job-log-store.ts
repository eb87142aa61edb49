import type { Database, Reader, Tx } from '@wharf/database/database.ts'
import type { Tables } from '@wharf/database/tables.ts'
import type { LogLine } from './log-buffer.ts'

/** Well under the number of parameters that either engine allows in a statement. */
const linesPerInsert = 1000

export class JobLogStore {
  readonly #database: Database

  constructor(database: Database) {
    this.#database = database
  }

  async lastSequence(jobUuid: string, from: Reader | Tx = this.#database.read): Promise<number> {
    const row = await from
      .selectFrom('jobLogs')
      .select(({ fn }) => fn.max('sequence').as('sequence'))
      .where('jobUuid', '=', jobUuid)
      .executeTakeFirst()
    return row?.sequence ?? 0
  }

  list(jobUuid: string, after: number, limit: number): Promise<Tables['jobLogs'][]> {
    return this.#database.read
      .selectFrom('jobLogs')
      .selectAll()
      .where('jobUuid', '=', jobUuid)
      .where('sequence', '>', after)
      .orderBy('sequence')
      .limit(limit)
      .execute()
  }

  /** The lines of the runner itself: few, and found by an index of their own. */
  listKinds(jobUuid: string): Promise<Tables['jobLogs'][]> {
    return this.#database.read
      .selectFrom('jobLogs')
      .selectAll()
      .where('jobUuid', '=', jobUuid)
      .where('kind', 'is not', null)
      .orderBy('sequence')
      .execute()
  }

  async insert(tx: Tx, jobUuid: string, lines: readonly LogLine[]): Promise<void> {
    for (let from = 0; from < lines.length; from += linesPerInsert)
      await tx
        .insertInto('jobLogs')
        .values(lines.slice(from, from + linesPerInsert).map((line) => ({ jobUuid, ...line })))
        // they exist when the commit succeeded and only its answer was lost
        .onConflict((conflict) => conflict.doNothing())
        .execute()
  }
}
