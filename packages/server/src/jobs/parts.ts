import type { Database } from '@wharf/database/database.ts'
import type { Clock } from '@wharf/platform/clock.ts'
import type { Log } from '@wharf/platform/log.ts'
import type { Events } from '../events/events.ts'
import type { JobLimits } from './limits.ts'
import type { JobSeals } from './seals.ts'
import type { JobStore } from './store.ts'

/** What whoever runs jobs needs. */
export interface RunParts {
  readonly database: Database
  readonly store: JobStore
  readonly events: Events
  readonly seals: JobSeals
  readonly clock: Clock
  readonly log: Log
  readonly limits: JobLimits
}
