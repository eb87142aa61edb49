import { appendBeforeCommit } from '@wharf/database/append-before-commit.ts'
import { AppendedTable } from '@wharf/database/appended-table.ts'
import type { Database, Reader, Tx } from '@wharf/database/database.ts'
import type { Tables } from '@wharf/database/tables.ts'
import type { LogLine } from './log-buffer.ts'

const types = { jobUuid: 'text', sequence: 'integer', at: 'bigint', kind: 'text', line: 'text' } as const
// lines exist when the commit succeeded and only its answer was lost
const rows = new AppendedTable('jobLogs', types, { skipsExisting: true })

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

  /** Lines of one job, or of many, written before the commit. */
  append(tx: Tx, lines: readonly (LogLine & { readonly jobUuid: string })[]): void {
    appendBeforeCommit(this.#database.engine, tx, rows, lines)
  }
}
