/** Long enough to be steady, short enough to notice a change of the line. */
const windowMs = 15_000

/** How fast something goes, by what it has done in the last seconds. */
export class TransferRate {
  #samples: { readonly atMs: number; readonly bytes: number }[] = []

  /** Told the whole of what is done so far. */
  add(atMs: number, bytes: number): void {
    const from = this.#samples.findIndex((sample) => sample.atMs >= atMs - windowMs)
    this.#samples = [...(from < 0 ? [] : this.#samples.slice(from)), { atMs, bytes }]
  }

  /** A pause is no slowness. */
  forget(): void {
    this.#samples = []
  }

  get bytesPerSecond(): number | undefined {
    const first = this.#samples[0]
    const last = this.#samples.at(-1)
    if (!first || !last || last.atMs === first.atMs) return undefined
    return ((last.bytes - first.bytes) / (last.atMs - first.atMs)) * 1000
  }

  secondsLeft(totalBytes: number): number | undefined {
    const rate = this.bytesPerSecond
    const done = this.#samples.at(-1)?.bytes ?? 0
    return rate ? Math.max(0, (totalBytes - done) / rate) : undefined
  }
}
