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

/** Whether entries can be written, by the last attempt. */
export class RecordingState {
  #failure: NotRecordedError | undefined

  /** Writes entries; a failure is reported until a later attempt succeeds. */
  async write(work: () => Promise<void>): Promise<void> {
    try {
      await work()
      this.#failure = undefined
    } catch (error) {
      if (concernsTransaction(error)) throw error
      this.#failure = new NotRecordedError(error)
      throw this.#failure
    }
  }

  get failure(): NotRecordedError | undefined {
    return this.#failure
  }
}
