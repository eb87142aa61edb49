import type { Tables } from '@wharf/database/tables.ts'
import { type Selectable, sql } from 'kysely'

export type JobRow = Selectable<Tables['jobs']>

export const activeStates = ['Waiting', 'Running', 'Undoing'] as const

/** Literals, not parameters: only then does SQLite use the index of active jobs, however many have ended. */
export const active = activeStates.map((state) => sql.lit(state))

export const isActive = (state: JobRow['state']): boolean => (activeStates as readonly string[]).includes(state)
