import type { Selectable } from 'kysely'
import type { Tables } from '../database/tables.ts'

export type JobRow = Selectable<Tables['jobs']>

export const activeStates = ['Waiting', 'Running', 'Undoing'] as const

export const isActive = (state: JobRow['state']): boolean => (activeStates as readonly string[]).includes(state)
