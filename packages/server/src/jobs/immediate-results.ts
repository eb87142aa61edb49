import type { Tx } from '@wharf/database/database.ts'
import type { ApiError } from '@wharf/platform/api-error.ts'
import { userLimits } from '@wharf/platform/user-limits.ts'
import { jobUuidTaken } from './job-queue.ts'
import { type JobResult, storeFailure } from './job-result.ts'
import { type JobRequest, newJobRow } from './new-job-row.ts'
import type { RunnerDeps } from './runner-deps.ts'

type NamedRequest = JobRequest & { uuid: string }

/** Stores calls that ended immediately as jobs, for clients that read every result at jobs. */
export class ImmediateResults {
  readonly #deps: Pick<RunnerDeps, 'store' | 'sealed' | 'clock'>

  constructor(deps: Pick<RunnerDeps, 'store' | 'sealed' | 'clock'>) {
    this.#deps = deps
  }

  async recordFailure(tx: Tx, request: NamedRequest, operation: string, failure: ApiError): Promise<void> {
    await this.#insert(tx, request, operation, { failure: storeFailure(failure) })
    await this.#deps.store.removeRefused(tx, request.caller.userUuid, userLimits.refusedCalls)
  }

  recordSuccess(tx: Tx, request: NamedRequest, operation: string, answer: object): Promise<void> {
    return this.#insert(tx, request, operation, { answer })
  }

  async #insert(tx: Tx, request: NamedRequest, operation: string, result: JobResult): Promise<void> {
    const { store, sealed, clock } = this.#deps
    const { uuid } = request
    const row = {
      ...newJobRow(request, operation, clock.now()),
      ...('failure' in result ? { errorCode: result.failure.code } : { state: 'Succeeded' as const, progress: 100 }),
      sealedInput: sealed.sealInput(uuid, 'null'),
      sealedOutcome: sealed.sealResult(uuid, result),
    }
    if (!(await store.insert(tx, row, 0))) throw jobUuidTaken(uuid)
  }
}
