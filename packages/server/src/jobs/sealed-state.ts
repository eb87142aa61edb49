import { ApiError } from '@wharf/platform/api-error.ts'
import type { Sealing } from '@wharf/platform/sealing.ts'
import type { JobResult, StoredFailure } from './job-result.ts'
import type { JobRow } from './job-row.ts'

/** What the finished steps leave to the next owner. */
interface Checkpoint {
  /** The values that they returned or stored. Jobs of 1.0 are stored with this name. */
  memory: object
  /** The secrets that they masked in the log; the following steps must mask them too. */
  concealed: readonly string[]
  /** The steps that could not be undone. */
  undoFailures?: readonly { step: string; failure: StoredFailure }[]
}

/** The input of the call that started a job, as it was read and checked. */
export interface SentCall {
  readonly path: Readonly<Record<string, string>>
  readonly fields: Readonly<Record<string, unknown>>
  readonly tags: { readonly system: readonly string[]; readonly user: readonly string[] }
  readonly timeoutSeconds?: number | undefined
}

/** `openCall` found none. */
export const noStoredCall = ({ uuid, operation }: JobRow): ApiError =>
  new ApiError(
    'SYS.1006',
    `job ${uuid} has no stored call to repeat: it was retried before, it ended more than 24 hours ago, or its call is not stored; start ${operation} again`,
  )

/** Input, checkpoint and result of a job may contain secrets, so the database stores them sealed. */
export class SealedState {
  readonly #sealing: Sealing

  constructor(sealing: Sealing) {
    this.#sealing = sealing
  }

  sealInput = (uuid: string, inputText: string): Buffer => this.#sealing.seal(inputText, sealContext('input', uuid))
  sealCall = (uuid: string, call: SentCall): Buffer => this.#seal('call', uuid, call)
  sealCheckpoint = (uuid: string, checkpoint: Checkpoint): Buffer => this.#seal('memory', uuid, checkpoint)
  sealResult = (uuid: string, result: JobResult): Buffer => this.#seal('outcome', uuid, result)

  openInput = ({ uuid, sealedInput }: JobRow): unknown => this.#open('input', uuid, sealedInput)
  openCall = ({ uuid, sealedCall }: JobRow): SentCall | undefined =>
    sealedCall === null ? undefined : (this.#open('call', uuid, sealedCall) as SentCall)
  openCheckpoint = ({ uuid, sealedMemory }: JobRow): Checkpoint =>
    sealedMemory === null ? { memory: {}, concealed: [] } : (this.#open('memory', uuid, sealedMemory) as Checkpoint)
  openResult = ({ uuid, sealedOutcome }: JobRow): JobResult | undefined =>
    sealedOutcome === null ? undefined : (this.#open('outcome', uuid, sealedOutcome) as JobResult)

  /** Its holder may read this job; it is derived, so a repeated call can return it again. */
  token = (uuid: string): string => this.#sealing.token('job', uuid)

  digest = (uuid: string, text: string): string => this.#sealing.token('digest', `${uuid} ${text}`)

  #seal(column: Column, uuid: string, value: unknown): Buffer {
    return this.#sealing.seal(JSON.stringify(value), sealContext(column, uuid))
  }

  #open(column: Column, uuid: string, sealed: Uint8Array): unknown {
    return JSON.parse(this.#sealing.open(sealed, sealContext(column, uuid)))
  }
}

type Column = 'input' | 'call' | 'memory' | 'outcome'

/** `memory` is part of what is sealed already, so it keeps its name. */
const sealContext = (column: Column, uuid: string): string => `jobs.${column}.${uuid}`
