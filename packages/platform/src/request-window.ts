/** Limits the number of requests in flight. After a failure no further request starts. */
export class RequestWindow {
  readonly #limit: number
  #inFlight = 0
  #failure: { readonly error: unknown } | undefined
  #wake: () => void = () => {}

  constructor(limit: number) {
    this.#limit = limit
  }

  /** Returns when the request has started. */
  async start(work: () => Promise<unknown>): Promise<void> {
    await this.#waitFor(() => this.#inFlight < this.#limit)
    this.#inFlight++
    work().then(
      () => this.#ended(),
      (error: unknown) => this.#ended({ error }),
    )
  }

  /** Returns when all requests have ended. */
  drain(): Promise<void> {
    return this.#waitFor(() => this.#inFlight === 0)
  }

  async #waitFor(condition: () => boolean): Promise<void> {
    while (this.#failure === undefined && !condition()) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve
      })
    }
    if (this.#failure) throw this.#failure.error
  }

  #ended(failure?: { readonly error: unknown }): void {
    this.#inFlight--
    this.#failure ??= failure
    this.#wake()
  }
}
