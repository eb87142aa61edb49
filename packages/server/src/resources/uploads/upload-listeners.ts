import type { Tx } from '@wharf/database/database.ts'
import type { ApiError } from '@wharf/platform/api-error.ts'

export interface FinishedUpload {
  readonly id: string
  readonly packageUuid: string
  /** In hex. */
  readonly md5: string
  readonly size: number
}

export interface EndedUpload {
  readonly id: string
  readonly packageUuid: string
  /** Terminated, expired, or a digest mismatch. */
  readonly reason: ApiError
}

type Listener<T> = (tx: Tx, upload: T) => Promise<void>

/** Called in the transaction that ends an upload: after a crash either both happened or neither, and it is repeated. */
export class UploadListeners {
  readonly #finished: Listener<FinishedUpload>[] = []
  readonly #ended: Listener<EndedUpload>[] = []

  onFinished(listener: Listener<FinishedUpload>): void {
    this.#finished.push(listener)
  }

  onEnded(listener: Listener<EndedUpload>): void {
    this.#ended.push(listener)
  }

  async publishFinished(tx: Tx, upload: FinishedUpload): Promise<void> {
    for (const listener of this.#finished) await listener(tx, upload)
  }

  async publishEnded(tx: Tx, upload: EndedUpload): Promise<void> {
    for (const listener of this.#ended) await listener(tx, upload)
  }
}
