import type { AnswerOf, Operation, Recorded } from '@wharf/contract'
import type { Tx } from '@wharf/database/database.ts'
import type { JobDefinition } from '../jobs/definition.ts'
import type { Submission } from '../jobs/job-queue.ts'
import type { SentCall } from '../jobs/sealed-state.ts'
import type { JobService } from '../jobs/service.ts'
import type { Binding } from './bind.ts'
import type { Call } from './call-context.ts'

export type Enqueue<Input> = (
  tx: Tx,
  submission: Omit<Submission<Input>, 'request' | 'call'>,
) => Promise<{ jobUuid: string }>

/** The job that was enqueued, or the answer when the operation is already done. */
export type Started<O> = { jobUuid: string } | Recorded<AnswerOf<O>>

/** A long operation as one value: its refusals and commit, its steps, and what success and failure leave behind. */
export interface JobOperation<O extends Operation, Input, Results = Record<never, never>>
  extends JobDefinition<Input, Results, O> {
  /** Refuses what can be refused before the job runs, then commits the change of the record together with the job. */
  start(call: Call<O>, enqueue: Enqueue<Input>): Promise<Started<O>>
}

const sentCall = ({ path, fields, tags, job: { timeoutSeconds } }: Call): SentCall => ({
  path,
  fields,
  tags,
  timeoutSeconds,
})

export const bindJob = <O extends Operation, Input, Results>(
  jobs: JobService,
  job: JobOperation<O, Input, Results>,
): Binding => ({
  operation: job.operation,
  handler: (call) =>
    job.start(call as unknown as Call<O>, (tx, submission) =>
      jobs.enqueue(tx, job, { ...submission, request: call.job, call: sentCall(call) }),
    ),
  job: job as unknown as JobDefinition,
})
