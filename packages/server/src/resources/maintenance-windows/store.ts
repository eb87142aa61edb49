import type { Tables } from '@wharf/database/tables.ts'
import type { Selectable } from 'kysely'

export type WindowRow = Selectable<Tables['maintenanceWindows']>
