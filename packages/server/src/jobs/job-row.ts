import { activeJobStates, isActiveJob, type JobState, jobStates } from '@wharf/contract'
import type { Tables } from '@wharf/database/tables.ts'
import { type RawBuilder, type Selectable, sql } from 'kysely'

export type JobRow = Selectable<Tables['jobs']>

/** Word for word the condition of the indexes: only then does SQLite use them, however many jobs have ended. */
const hasStateOf = (states: readonly JobState[]): RawBuilder<boolean> =>
  sql`(${sql.join(
    states.map((state) => sql`"state" = ${sql.lit(state)}`),
    sql` or `,
  )})`

export const hasActiveState = hasStateOf(activeJobStates)
export const hasEndState = hasStateOf(jobStates.filter((state) => !isActiveJob(state)))
