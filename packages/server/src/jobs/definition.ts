import type { AnswerOf, Operation, Recorded } from '@wharf/contract'
import type { Tx } from '@wharf/database/database.ts'
import type { ApiError } from '@wharf/platform/api-error.ts'

/** What a step works with. A step keeps its state only here, so that another process can continue the job. */
export interface JobContext<Input = unknown, Memory = unknown> {
  readonly jobUuid: string
  readonly subjectUuid: string | null
  readonly caller: { readonly accountUuid: string; readonly userUuid: string }
  readonly input: Input
  /** The values that the finished steps returned. */
  readonly memory: Partial<Memory>
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
  remember(values: Partial<Memory>): Promise<void>
}

export interface Step<Input, Memory> {
  readonly name: string
  /** May happen twice: after a crash, or when the database was unavailable, the step starts again. */
  run(context: JobContext<Input, Memory>): Promise<Partial<Memory>> | Promise<void>
  /** Also called for a step that was interrupted or did not start. May happen twice. */
  undo?(context: JobContext<Input, Memory>): Promise<void>
  /** The limit of its undo, when it is not that of every undo. */
  readonly undoTimeoutMs?: number
  /** False for a failure of the undo that a retry cannot fix; without it, every failure is retried. */
  isUndoRetried?(failure: ApiError): boolean
  /** Its share of the job's progress. */
  readonly weight: number
}

type StepOptions<Input, Memory> = { undo?: Step<Input, Memory>['undo'] } & Partial<
  Omit<Step<Input, Memory>, 'name' | 'run' | 'undo'>
>

export function step<Input, Memory>(
  name: string,
  run: Step<Input, Memory>['run'],
  { undo, ...more }: StepOptions<Input, Memory> = {},
): Step<Input, Memory> {
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
export interface JobDefinition<Input = unknown, Memory = unknown, O extends Operation = Operation> {
  readonly operation: O
  readonly steps: readonly Step<Input, Memory>[]
  succeeded(context: JobContext<Input, Memory>, tx: Tx): Promise<Recorded<AnswerOf<O>>>
  failed?(context: JobContext<Input, Memory>, tx: Tx, result: JobFailure): Promise<void>
  /** The failure to report when steps could not be undone, in place of the first one. */
  describeFailure?(context: JobContext<Input, Memory>, result: JobFailure): ApiError
  /** Before the call of a failed job is repeated: removes a record that the failure left and that the call creates. */
  prepareRetry?(tx: Tx, subjectUuid: string): Promise<void>
  /**
   * Runs on the job's own node after another node ended the job while this one was lost. It removes what bears the job's
   * uuid; nothing else is safe to touch, because the subject may have other jobs by then.
   */
  removeLeftovers?(context: JobContext<Input, Memory>): Promise<void>
}
