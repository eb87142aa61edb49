/** Long enough for a stable rate, short enough to follow changes. */
const windowMs = 15_000
/** The first bytes only fill buffers, so a rate over less time is too high. */
const minimumMs = 1000

/** The average rate over the last seconds. */
export class TransferRate {
  #samples: { readonly atMs: number; readonly bytes: number }[] = []

  /** `bytes` is the total so far. */
  add(atMs: number, bytes: number): void {
    // after a broken connection the upload continues at an earlier byte
    if (bytes < (this.#samples.at(-1)?.bytes ?? 0)) this.reset()
    const from = this.#samples.findIndex((sample) => sample.atMs >= atMs - windowMs)
    this.#samples = [...(from < 0 ? [] : this.#samples.slice(from)), { atMs, bytes }]
  }

  /** A pause must not lower the rate. */
  reset(): void {
    this.#samples = []
  }

  get bytesPerSecond(): number | undefined {
    const first = this.#samples[0]
    const last = this.#samples.at(-1)
    if (!first || !last || last.atMs - first.atMs < minimumMs) return undefined
    return ((last.bytes - first.bytes) / (last.atMs - first.atMs)) * 1000
  }

  secondsLeft(totalBytes: number): number | undefined {
    const rate = this.bytesPerSecond
    const done = this.#samples.at(-1)?.bytes ?? 0
    return rate ? Math.max(0, (totalBytes - done) / rate) : undefined
  }
}
