import type { Database } from '@wharf/database/database.ts'
import type { Clock } from '@wharf/platform/clock.ts'
import type { Log } from '@wharf/platform/log.ts'
import type { AuditTrail } from '../audit/audit-trail.ts'
import type { Outbox } from '../events/outbox.ts'
import type { SystemEventRecorder } from '../events/system-event.ts'
import type { JobClaimStore } from './job-claim-store.ts'
import type { JobLogStore } from './job-log-store.ts'
import type { JobWrites } from './job-writes.ts'
import type { JobLimits } from './limits.ts'
import type { SealedState } from './sealed-state.ts'
import type { JobStore } from './store.ts'

/** What the runner and its runs work with. */
export interface RunnerDeps {
  readonly database: Database
  readonly store: JobStore
  readonly claims: JobClaimStore
  readonly logs: JobLogStore
  readonly writes: JobWrites
  readonly audit: AuditTrail
  readonly events: Outbox
  readonly systemEvents: SystemEventRecorder
  readonly sealed: SealedState
  readonly clock: Clock
  readonly log: Log
  readonly limits: JobLimits
  readonly nodeUuid: string
  /** This process of this node; a restarted node is another owner. */
  readonly owner: string
}
