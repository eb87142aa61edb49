/** Calls that wait for their jobs, by user: each uses a socket and polls its job. */
export class HeldCalls {
  readonly #limit: number
  readonly #ofUser = new Map<string, number>()

  constructor(limit: number) {
    this.#limit = limit
  }

  /** Undefined when the user has too many: the call then returns immediately, and its job can be polled. */
  hold(userUuid: string): Disposable | undefined {
    const held = this.#ofUser.get(userUuid) ?? 0
    if (held >= this.#limit) return undefined
    this.#ofUser.set(userUuid, held + 1)
    return { [Symbol.dispose]: () => this.#release(userUuid) }
  }

  #release(userUuid: string): void {
    const left = (this.#ofUser.get(userUuid) ?? 1) - 1
    if (left > 0) this.#ofUser.set(userUuid, left)
    else this.#ofUser.delete(userUuid)
  }
}
