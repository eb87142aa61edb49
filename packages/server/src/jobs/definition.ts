import type { AnswerOf, Operation, Recorded } from '@wharf/contract'
import type { Tx } from '@wharf/database/database.ts'
import type { ApiError } from '@wharf/platform/api-error.ts'

/** What a step works with. A step keeps its state only here, so that another process can continue the job. */
export interface JobContext<Input = unknown, Results = unknown> {
  readonly jobUuid: string
  readonly subjectUuid: string | null
  readonly caller: { readonly accountUuid: string; readonly userUuid: string }
  readonly input: Input
  /** The values that finished steps returned, and those that `checkpoint` stored in an earlier attempt. */
  readonly stepResults: Partial<Results>
  /** Aborted by cancel, by the deadline, and when this process is no longer the owner. */
  readonly signal: AbortSignal
  log(line: string): void
  /** The progress of this step, 0 to 100. */
  progress(percent: number): void
  /** Masks the concealed secrets in a line that a program has printed, before a part of it is kept elsewhere. */
  maskLine(line: string): string
  /** From now on this text is masked in the job's log and failure. */
  conceal(secret: string): void
  /**
   * A transaction that fails when another process has taken the job over. It is retried when the database becomes
   * unavailable, so it may happen twice.
   */
  write<T>(work: (tx: Tx) => Promise<T>): Promise<T>
  /** Stores values before the step ends, so that its undo and the next owner find them. */
  checkpoint(values: Partial<Results>): Promise<void>
}

export interface Step<Input, Results> {
  readonly name: string
  /** May happen twice: after a crash, or when the database was unavailable, the step starts again. */
  run(context: JobContext<Input, Results>): Promise<Partial<Results>> | Promise<void>
  /** Also called for a step that was interrupted or did not start. May happen twice. */
  undo?(context: JobContext<Input, Results>): Promise<void>
  /** The limit of its undo, when it is not that of every undo. */
  readonly undoTimeoutMs?: number
  /** False for a failure of the undo that a retry cannot fix; without it, every failure is retried. */
  isUndoRetried?(failure: ApiError): boolean
  /** Its share of the job's progress. */
  readonly weight: number
}

type StepOptions<Input, Results> = { undo?: Step<Input, Results>['undo'] } & Partial<
  Omit<Step<Input, Results>, 'name' | 'run' | 'undo'>
>

export function step<Input, Results>(
  name: string,
  run: Step<Input, Results>['run'],
  { undo, ...more }: StepOptions<Input, Results> = {},
): Step<Input, Results> {
  return { weight: 1, ...more, name, run, ...(undo ? { undo } : {}) }
}

/** Why a job failed, and the steps that could not be undone. */
export interface JobFailure {
  readonly failure: ApiError
  readonly undoFailures: readonly UndoFailure[]
}

/** Of any job. */
export type AnyStep = Step<unknown, unknown>

export interface UndoFailure {
  readonly step: string
  readonly failure: ApiError
}

/**
 * A long operation: its steps in order, and its end. What `succeeded` or `failed` changes is one commit with the end of
 * the job: a reader who sees the new status finds the subject free for the next job.
 */
export interface JobDefinition<Input = unknown, Results = unknown, O extends Operation = Operation> {
  readonly operation: O
  readonly steps: readonly Step<Input, Results>[]
  succeeded(context: JobContext<Input, Results>, tx: Tx): Promise<Recorded<AnswerOf<O>>>
  failed?(context: JobContext<Input, Results>, tx: Tx, result: JobFailure): Promise<void>
  /** The failure to report when steps could not be undone, in place of the first one. */
  describeFailure?(context: JobContext<Input, Results>, result: JobFailure): ApiError
  /** Before the call of a failed job is repeated: removes a record that the failure left and that the call creates. */
  prepareRetry?(tx: Tx, subjectUuid: string): Promise<void>
  /**
   * Runs on the job's own node after another node ended the job while this one was lost. It removes what bears the job's
   * uuid; nothing else is safe to touch, because the subject may have other jobs by then.
   */
  removeLeftovers?(context: JobContext<Input, Results>): Promise<void>
}
