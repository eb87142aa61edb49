import { activeJobStates, isActiveJob, jobStates } from '@wharf/contract'
import type { Tables } from '@wharf/database/tables.ts'
import { type Selectable, sql } from 'kysely'

export type JobRow = Selectable<Tables['jobs']>

/** Literals, not parameters: only then does SQLite use the index of active jobs, however many have ended. */
export const active = activeJobStates.map((state) => sql.lit(state))
/** Literals for the index of stored calls. */
export const ended = jobStates.filter((state) => !isActiveJob(state)).map((state) => sql.lit(state))
