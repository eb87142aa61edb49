import type { Database, Reader, Tx } from '@wharf/database/database.ts'
import { inBatches } from '@wharf/database/in-batches.ts'
import type { Tables } from '@wharf/database/tables.ts'
import type { LogLine } from './log-buffer.ts'

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

  insert(tx: Tx, jobUuid: string, lines: readonly LogLine[]): Promise<void> {
    return inBatches(lines, (batch) =>
      tx
        .insertInto('jobLogs')
        .values(batch.map((line) => ({ jobUuid, ...line })))
        // they exist when the commit succeeded and only its answer was lost
        .onConflict((conflict) => conflict.doNothing())
        .execute(),
    )
  }
}
