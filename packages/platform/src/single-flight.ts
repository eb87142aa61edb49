/** Work that never runs twice at a time: a call during a run gets the promise of that run. */
export class SingleFlight {
  #running: Promise<void> | undefined

  get running(): Promise<void> | undefined {
    return this.#running
  }

  run(work: () => Promise<void>): Promise<void> {
    this.#running ??= work().finally(() => {
      this.#running = undefined
    })
    return this.#running
  }
}

/** A poll that never runs twice at a time: requests during a run cause exactly one more run after it. */
export class CoalescedPoll {
  readonly #poll: () => Promise<void>
  #running: Promise<void> | undefined
  #isRequested = false

  /** `poll` handles its own errors. */
  constructor(poll: () => Promise<void>) {
    this.#poll = poll
  }

  get running(): Promise<void> | undefined {
    return this.#running
  }

  request(): void {
    this.#isRequested = true
    this.#running ??= this.#start()
  }

  #start(): Promise<void> {
    this.#isRequested = false
    return this.#poll().finally(() => {
      this.#running = this.#isRequested ? this.#start() : undefined
    })
  }
}
