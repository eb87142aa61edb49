import { type ErrorCode, jobTitle, resourceTypeOf } from '@wharf/contract'
import type { Tx } from '@wharf/database/database.ts'
import type { ApiError } from '@wharf/platform/api-error.ts'
import type { SystemEvent } from '../events/system-event.ts'
import type { JobContext, JobDefinition, JobFailure } from './definition.ts'
import type { JobRecord } from './job-record.ts'
import { endState, type JobResult, storeFailure } from './job-result.ts'
import type { JobRow } from './job-row.ts'
import { parseSubjectChanges } from './job-source.ts'
import type { JobState } from './job-state.ts'
import type { RunnerDeps } from './runner-deps.ts'

interface JobEndDeps extends Pick<RunnerDeps, 'sealed' | 'clock' | 'audit' | 'systemEvents'> {
  readonly definition: JobDefinition
  readonly row: JobRow
  readonly state: JobState
  readonly record: JobRecord
}

/** The end of a job: what success or failure leaves behind, its result and its audit entry are one commit. */
export class JobEnd {
  readonly #deps: JobEndDeps

  constructor(deps: JobEndDeps) {
    this.#deps = deps
  }

  async succeed(context: JobContext): Promise<void> {
    const { definition, record } = this.#deps
    record.progress = 100
    await record.finish(async (tx, earlier) => {
      const answer = await definition.succeeded(context, tx)
      this.#collectEnd(tx, earlier, null)
      return this.#ended('Succeeded', { answer })
    })
  }

  /** `owner`: the mark that a job may have in place of an owner after its end. */
  async fail(context: JobContext, first: ApiError, owner: string | null = null): Promise<void> {
    const { definition, record, row, state, systemEvents } = this.#deps
    const result: JobFailure = { failure: first, undoFailures: state.undoFailures }
    const failure = definition.describeFailure?.(context, result) ?? first
    await record.finish(async (tx, earlier) => {
      await definition.failed?.(context, tx, result)
      const endedAs = endState(failure)
      if (endedAs === 'Failed') await systemEvents.record(tx, jobFailed(row, failure))
      this.#collectEnd(tx, earlier, failure.code)
      return { ...this.#ended(endedAs, { failure: storeFailure(failure) }), owner }
    })
  }

  /** For the audit entry of the end, with everything that the job has changed of its subject. */
  #collectEnd(tx: Tx, earlierText: string | null, errorCode: ErrorCode | null): void {
    const { row, definition, audit } = this.#deps
    const { uuid: jobUuid, subjectUuid, subjectName: name, createDate: startDate } = row
    const { changes: earlierChanges, resourceType } = parseSubjectChanges(earlierText)
    const type = resourceType ?? resourceTypeOf(definition.operation) ?? null
    const subject = subjectUuid === null ? null : { uuid: subjectUuid, name, resourceType: type }
    audit.collectEnd(tx, { jobUuid, startDate, subject, earlierChanges, errorCode })
  }

  #ended(state: JobRow['state'], result: JobResult): Partial<JobRow> {
    const { sealed, clock, row } = this.#deps
    return {
      state,
      currentStep: null,
      owner: null,
      endDate: clock.now(),
      auditChanges: null,
      errorCode: 'failure' in result ? result.failure.code : null,
      sealedOutcome: sealed.sealResult(row.uuid, result),
      // only a failed job is repeated; the call may contain secrets
      ...('answer' in result ? { sealedCall: null } : {}),
    }
  }
}

/** The text of a failure is already masked. */
const jobFailed = (job: JobRow, { code, message }: ApiError): SystemEvent => ({
  event: 'JobFailed',
  resource: { type: 'ApiJob', uuid: job.uuid, name: jobTitle(job) },
  target: job.targetName,
  reason: `${code} ${message}`,
  userName: job.userName,
})
