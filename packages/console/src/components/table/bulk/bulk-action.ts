import type { CallableOperation } from '@wharf/sdk'
import type { ReactNode } from 'react'
import type { ApiCall } from '../../copy-command/command-text.ts'
import type { DraftState } from '../../use-form-draft.ts'

/** What `prepare` found out about a record: why it cannot be included, or a value for the call and a note for the list. */
export type Preparation<P> =
  | { readonly problem: string }
  | { readonly problem?: undefined; readonly value: P; readonly note?: string }

/** An action on the selected records of a table, with a result per record. */
export interface BulkAction<R, P = unknown> {
  readonly id: string
  readonly label: string
  /** What it calls; the action is disabled for roles that may not. */
  readonly operation: CallableOperation
  /** What the action does, above the names of the records. */
  readonly consequences: ReactNode
  /** Why the state of a record does not allow the action. */
  problem?(record: R): string | undefined
  /** Reads what the call or the decision needs, once per record, before the confirmation. */
  prepare?(record: R, signal: AbortSignal): Promise<Preparation<P>>
  /** Fields that apply to all records; their state belongs to the page. */
  readonly form?: ReactNode
  /** The input of the form, which is not lost without a confirmation. */
  readonly draft?: DraftState
  /** Why the form is incomplete. */
  readonly formProblem?: string | undefined
  /** The call for one record; waits for its job. */
  run(record: R, prepared: P): Promise<unknown>
  /** The input of that call, to copy as a command. */
  inputOf(record: R, prepared: P): ApiCall['input']
}
