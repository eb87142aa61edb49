/** Reading the clock takes about as long as reading a row. */
const sharedMs = 1

/** The processor time of this thread: on a busy machine, time that it does not run is not the fault of a scan. */
export class ThreadCpuClock {
  #ms = 0
  #readAt = Number.NEGATIVE_INFINITY

  /** For what starts at `at`, of the monotonic clock: all that start within a millisecond share a reading. */
  startMs(at: number): number {
    if (at - this.#readAt < sharedMs) return this.#ms
    this.#readAt = at
    this.#ms = this.nowMs()
    return this.#ms
  }

  nowMs(): number {
    const { user, system } = process.threadCpuUsage()
    return (user + system) / 1000
  }
}
