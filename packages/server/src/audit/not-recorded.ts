import {
  isConnectionFailure,
  isDamaged,
  isDiskFailure,
  isForeignKeyViolation,
  isLockTimeout,
  isSerialisationFailure,
  isStatementTimeout,
} from '@wharf/database/failures.ts'
import { ApiError } from '@wharf/platform/api-error.ts'

/** The entry of a change could not be written, so that the change was rolled back. */
export class NotRecordedError extends ApiError {
  /** For the operator; callers do not learn about the database. */
  readonly reason: string

  constructor(cause: unknown) {
    super(
      'SYS.1010',
      'the audit entry of this call cannot be written, so nothing was changed; /readyz shows the reason, try again when it is fixed',
      { cause, retryAfterSeconds: 5 },
    )
    this.reason = cause instanceof Error ? cause.message : String(cause)
  }
}

/** These concern the whole transaction, whose other rows may be in the same statement, and have an answer of their own. */
const concernsTransaction = (error: unknown): boolean =>
  [
    isConnectionFailure,
    isDiskFailure,
    isDamaged,
    isSerialisationFailure,
    isLockTimeout,
    isStatementTimeout,
    isForeignKeyViolation,
  ].some((concerns) => concerns(error))

/** Entries of changes are pending until they are chained; those of calls that changed nothing are in the trail at once. */
type EntryTable = 'pendingAuditEntries' | 'auditEntries'

/** Whether entries can be written, by the last attempts. */
export class RecordingState {
  readonly #failures = new Map<EntryTable, NotRecordedError>()

  /** Writes entries to the table; a failure is reported until a later attempt to write to it succeeds. */
  async write(table: EntryTable, work: () => Promise<void>): Promise<void> {
    try {
      await work()
      this.#failures.delete(table)
    } catch (error) {
      if (concernsTransaction(error)) throw error
      const failure = new NotRecordedError(error)
      this.#failures.set(table, failure)
      throw failure
    }
  }

  get failure(): NotRecordedError | undefined {
    return this.#failures.values().next().value
  }
}
