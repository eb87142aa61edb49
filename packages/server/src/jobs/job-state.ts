import { ApiError } from '@wharf/platform/api-error.ts'
import type { UndoFailure } from './definition.ts'
import { reviveFailure, storeFailure } from './job-result.ts'
import type { JobRow } from './job-row.ts'
import type { SealedState } from './sealed-state.ts'

/** The input of a job that this process has enqueued. */
export interface KnownInput {
  readonly inputText: string
}

/** The input of a job and what its steps have left behind, opened from its row for this owner. */
export class JobState {
  readonly #row: JobRow
  readonly #sealed: SealedState
  readonly input: unknown
  /** The values that the steps returned or stored. */
  stepResults: object
  /** Secrets of the steps that an earlier owner finished. */
  readonly concealed: readonly string[]
  readonly undoFailures: UndoFailure[]

  /** `known`: what this process has just sealed in the row. Throws when the row cannot be opened. */
  constructor(row: JobRow, sealed: SealedState, known?: KnownInput) {
    const { memory, concealed, undoFailures = [] } = sealed.openCheckpoint(row)
    this.#row = row
    this.#sealed = sealed
    this.input = known === undefined ? sealed.openInput(row) : JSON.parse(known.inputText)
    this.stepResults = memory
    this.concealed = concealed
    this.undoFailures = undoFailures.map(({ step, failure }) => ({ step, failure: reviveFailure(failure) }))
  }

  addResults(results: object | undefined): void {
    this.stepResults = { ...this.stepResults, ...results }
  }

  /** The column for the next owner, with the secrets concealed so far. */
  sealCheckpoint(concealed: readonly string[]): Pick<JobRow, 'sealedMemory'> {
    const undoFailures = this.undoFailures.map(({ step, failure }) => ({ step, failure: storeFailure(failure) }))
    const checkpoint = { memory: this.stepResults, concealed, undoFailures }
    return { sealedMemory: this.#sealed.sealCheckpoint(this.#row.uuid, checkpoint) }
  }

  /** Why the steps of a job are undone that an earlier owner started to undo. */
  get storedFailure(): ApiError {
    const result = this.#sealed.openResult(this.#row)
    return result !== undefined && 'failure' in result
      ? reviveFailure(result.failure)
      : new ApiError('SYS.1000', 'the failure of this job was not recorded')
  }
}
