import type { Database } from '@wharf/database/database.ts'
import type { Idempotency } from '../jobs/idempotency.ts'
import type { JobService } from '../jobs/service.ts'
import type { Authenticate } from '../resources/identity/authenticate.ts'
import type { Credentials } from '../resources/identity/credentials.ts'
import type { Nonces } from '../resources/identity/request-signatures/nonces.ts'
import type { AuditedCalls } from './audited-call.ts'
import type { WaitingCallLimit } from './waiting-call-limit.ts'

export interface RouteDeps {
  readonly database: Database
  readonly auditedCalls: AuditedCalls
  readonly jobs: JobService
  readonly idempotency: Idempotency
  readonly waitingCalls: WaitingCallLimit
  readonly authenticate: Authenticate
  readonly credentials: Credentials
  readonly nonces: Nonces
  readonly formatTimestamp: (ms: number) => string
  /** Aborted when the server drains: waiting calls return 202 immediately. */
  readonly draining: AbortSignal
  readonly settings: {
    basePath: string
    publicUrl?: string | undefined
    holdSeconds: number
    jsonSchema?: boolean
    /** Clients of the job protocol read every answer from a job. */
    always202?: boolean
  }
}
