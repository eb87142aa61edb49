import type { Sealing } from '@wharf/platform/sealing.ts'
import type { JobRow } from './job-row.ts'
import type { Outcome } from './outcome.ts'

/** What the next owner must know of the steps that are done. */
interface Known {
  /** What they returned. */
  memory: object
  /** What they keep out of the log; the steps after them must too. */
  concealed: readonly string[]
}

/** Input, memory and outcome of a job may hold secrets, so the database sees them sealed. */
export class JobSeals {
  readonly #sealing: Sealing

  constructor(sealing: Sealing) {
    this.#sealing = sealing
  }

  sealInput = (uuid: string, input: unknown): Buffer => this.#sealing.seal(JSON.stringify(input), place('input', uuid))
  sealMemory = (uuid: string, known: Known): Buffer => this.#sealing.seal(JSON.stringify(known), place('memory', uuid))
  sealOutcome = (uuid: string, outcome: Outcome): Buffer =>
    this.#sealing.seal(JSON.stringify(outcome), place('outcome', uuid))

  openInput = (row: JobRow): unknown => JSON.parse(this.#sealing.open(row.sealedInput, place('input', row.uuid)))
  openMemory = (row: JobRow): Known =>
    row.sealedMemory === null
      ? { memory: {}, concealed: [] }
      : JSON.parse(this.#sealing.open(row.sealedMemory, place('memory', row.uuid)))
  openOutcome = (row: JobRow): Outcome | undefined =>
    row.sealedOutcome === null
      ? undefined
      : JSON.parse(this.#sealing.open(row.sealedOutcome, place('outcome', row.uuid)))

  /** Whoever holds it may read this job; it is derived, so a repeated call can show it again. */
  token = (uuid: string): string => this.#sealing.token('job', uuid)

  digest = (uuid: string, text: string): string => this.#sealing.token('digest', `${uuid} ${text}`)
}

const place = (column: string, uuid: string): string => `jobs.${column}.${uuid}`
