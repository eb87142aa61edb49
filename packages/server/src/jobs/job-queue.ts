import { resourceTypeOf } from '@wharf/contract'
import { afterCommit, type Tx } from '@wharf/database/database.ts'
import { ApiError } from '@wharf/platform/api-error.ts'
import { newSequentialUuid } from '@wharf/platform/ids.ts'
import { ActiveJobLimit } from './active-job-limit.ts'
import type { JobDefinition } from './definition.ts'
import { newJobSource } from './job-source.ts'
import { type JobRequest, type NewJobRow, newJobRow, summaryOf } from './new-job-row.ts'
import type { JobRunner } from './runner.ts'
import type { RunnerDeps } from './runner-deps.ts'
import type { SentCall } from './sealed-state.ts'

export interface Submission<Input> {
  request: JobRequest
  /**
   * The record it works on; a second job on it is refused while this one runs. The job keeps the names of its records as
   * they are now.
   */
  subject: { uuid: string; name: string; version?: string | null } | null
  /** The second record of a job with two, such as the version that an upgrade installs. */
  relatedUuid?: string | undefined
  /** The host that it works on, also when that is the subject itself. */
  host: { readonly uuid: string; readonly name: string } | null | undefined
  /** The backup storage that it works on, unless that is the subject itself. */
  storageName?: string | undefined
  input: Input
  /** The call that starts it, so that it can be repeated when the job fails. */
  call?: SentCall
  /** Only this node can run it, because its disk is needed. */
  managementNodeUuid?: string | null | undefined
  /** It continues an accepted call, so it is not refused for the number of jobs. */
  isFollowUp?: boolean
}

interface JobQueueDeps
  extends Pick<RunnerDeps, 'store' | 'sealed' | 'clock' | 'audit' | 'events' | 'limits' | 'owner' | 'nodeUuid'> {
  readonly runner: JobRunner
}

const defaultTimeoutSeconds = 1800

/** Enqueues jobs in the transactions of their callers; those that this node has capacity for run right after the commit. */
export class JobQueue {
  readonly #deps: JobQueueDeps
  readonly #activeJobs: ActiveJobLimit

  constructor(deps: JobQueueDeps) {
    this.#deps = deps
    this.#activeJobs = new ActiveJobLimit(deps.store)
  }

  async enqueue<Input, Results>(
    tx: Tx,
    definition: JobDefinition<Input, Results>,
    submission: Submission<Input>,
  ): Promise<{ jobUuid: string }> {
    const { runner, store, sealed, clock, audit, events, limits, owner, nodeUuid } = this.#deps
    const { request, subject, host = null, call, managementNodeUuid = null, isFollowUp = false } = submission
    const seconds = request.timeoutSeconds ?? definition.operation.timeoutSeconds ?? defaultTimeoutSeconds
    const runsHere = runner.hasCapacity && (managementNodeUuid === null || managementNodeUuid === nodeUuid)
    // jobs that run immediately are bounded by the capacity of a node
    if (!runsHere && !isFollowUp) await this.#activeJobs.refuseTooMany(tx, request.caller.userUuid)
    const leasedAt = performance.now()
    const now = clock.now()
    // ordered: the rows of new jobs are on few pages, so that a commit writes little
    const uuid = request.uuid ?? newSequentialUuid()
    const { name: operation } = definition.operation
    const initial = newJobRow({ ...request, uuid }, operation, now)
    const source = newJobSource(request)
    const inputText = JSON.stringify(submission.input)
    const subjectUuid = subject?.uuid ?? null
    const targetName = submission.storageName ?? (host === null || host.uuid === subject?.uuid ? null : host.name)
    const names = { subjectName: subject?.name ?? null, subjectVersion: subject?.version ?? null, targetName }
    const row = {
      ...initial,
      subjectUuid,
      relatedUuid: submission.relatedUuid ?? null,
      hostUuid: host?.uuid ?? null,
      ...names,
      summary: summaryOf({ operation, ...names }, request.caller.userName),
      managementNodeUuid,
      state: runsHere ? 'Running' : 'Waiting',
      currentStep: definition.steps[0]?.name ?? null,
      sealedInput: sealed.sealInput(uuid, inputText),
      sealedCall: call === undefined ? null : sealed.sealCall(uuid, call),
      owner: runsHere ? owner : null,
      deadline: initial.createDate + seconds * 1000,
      endDate: null,
      auditSource: JSON.stringify(source),
    } satisfies NewJobRow
    if (!(await store.insert(tx, row, limits.leaseMs))) throw await this.#refusal(tx, uuid, subjectUuid)
    const resourceType = resourceTypeOf(definition.operation) ?? null
    audit.collectJob(tx, {
      jobUuid: uuid,
      operation,
      actor: source.actor,
      subject: subject && { ...subject, resourceType },
    })
    await events.record(tx, { type: 'Created', resourceType: 'ApiJob', uuid, isRoutine: true })
    const leaseUntil = row.createDate + limits.leaseMs
    if (runsHere) afterCommit(tx, () => runner.run({ ...row, leaseUntil }, leasedAt, { inputText }))
    else afterCommit(tx, () => runner.expectWaiting())
    return { jobUuid: uuid }
  }

  async #refusal(tx: Tx, uuid: string, subjectUuid: string | null): Promise<ApiError> {
    const busy = subjectUuid === null ? undefined : await this.#deps.store.findActive(subjectUuid, tx)
    return busy === undefined ? jobUuidTaken(uuid) : new ApiError('SYS.1005', busyText(busy, subjectUuid ?? ''))
  }
}

export const jobUuidTaken = (uuid: string): ApiError =>
  new ApiError('JOB.1002', `the job uuid ${uuid} is already in use`)

export const busyText = ({ operation, uuid }: { operation: string; uuid: string }, subjectUuid: string): string =>
  `${operation} is still running on ${subjectUuid}, as job ${uuid}; wait until it has ended, or cancel it`
