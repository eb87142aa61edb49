import type { Database } from '@wharf/database/database.ts'
import { type Clock, systemClock } from '@wharf/platform/clock.ts'
import { Sealing } from '@wharf/platform/sealing.ts'
import { AuditTrail } from '@wharf/server/audit/audit-trail.ts'

/** For services that a test constructs without a server. */
export const testAuditTrail = (database: Database, clock: Clock = systemClock): AuditTrail =>
  new AuditTrail({ database, clock, sealing: new Sealing(Buffer.alloc(32)), nodeUuid: '0'.repeat(32) })
