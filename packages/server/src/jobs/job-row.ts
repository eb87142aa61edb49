import type { Tables } from '@wharf/database/tables.ts'
import type { Selectable } from 'kysely'

export type JobRow = Selectable<Tables['jobs']>

export const activeStates = ['Waiting', 'Running', 'Undoing'] as const

export const isActive = (state: JobRow['state']): boolean => (activeStates as readonly string[]).includes(state)
