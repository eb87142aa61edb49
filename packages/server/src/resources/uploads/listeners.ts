import type { Tx } from '@wharf/database/database.ts'
import type { ApiError } from '@wharf/platform/api-error.ts'

export interface FinishedUpload {
  readonly id: string
  readonly packageUuid: string
  /** Of what arrived; in hex. */
  readonly md5: string
  readonly size: number
}

export interface EndedUpload {
  readonly id: string
  readonly packageUuid: string
  /** Terminated, expired, or another digest than announced. */
  readonly reason: ApiError
}

type Listener<T> = (tx: Tx, upload: T) => Promise<void>

/**
 * Who wants to know that an upload is over. They work in the transaction that says so: after a crash either both
 * happened or neither, and then it happens again.
 */
export class Listeners {
  readonly #finished: Listener<FinishedUpload>[] = []
  readonly #ended: Listener<EndedUpload>[] = []

  onFinished(listener: Listener<FinishedUpload>): void {
    this.#finished.push(listener)
  }

  onEnded(listener: Listener<EndedUpload>): void {
    this.#ended.push(listener)
  }

  async tellFinished(tx: Tx, upload: FinishedUpload): Promise<void> {
    for (const listener of this.#finished) await listener(tx, upload)
  }

  async tellEnded(tx: Tx, upload: EndedUpload): Promise<void> {
    for (const listener of this.#ended) await listener(tx, upload)
  }
}
