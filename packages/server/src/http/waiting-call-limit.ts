/** Limits how many calls of a user wait for their jobs: each uses a socket and polls its job. */
export class WaitingCallLimit {
  readonly #limit: number
  readonly #byUser = new Map<string, number>()

  constructor(limit: number) {
    this.#limit = limit
  }

  /** Undefined when the user has too many: the call then returns immediately, and its job can be polled. */
  acquire(userUuid: string): Disposable | undefined {
    const waiting = this.#byUser.get(userUuid) ?? 0
    if (waiting >= this.#limit) return undefined
    this.#byUser.set(userUuid, waiting + 1)
    return { [Symbol.dispose]: () => this.#release(userUuid) }
  }

  #release(userUuid: string): void {
    const left = (this.#byUser.get(userUuid) ?? 1) - 1
    if (left > 0) this.#byUser.set(userUuid, left)
    else this.#byUser.delete(userUuid)
  }
}
