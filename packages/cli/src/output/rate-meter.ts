import { formatBytes, formatDuration } from './format-quantities.ts'
import { printable } from './printable.ts'
import type { ProgressUpdate } from './progress.ts'

/** The rate over the last seconds. */
export class RateMeter {
  readonly #now: () => number
  readonly #samples: { at: number; done: number }[] = []
  static readonly windowMs = 10_000

  constructor(now: () => number) {
    this.#now = now
  }

  /** Per second; undefined while there are too few samples. */
  rate(done: number): number | undefined {
    const at = this.#now()
    this.#samples.push({ at, done })
    while (this.#samples.length > 2 && at - (this.#samples[0]?.at ?? at) > RateMeter.windowMs) this.#samples.shift()
    const [first] = this.#samples
    if (first === undefined || at - first.at < 500 || done <= first.done) return undefined
    return ((done - first.done) * 1000) / (at - first.at)
  }
}

/** `63%  12.3 MiB/s  0:42 left  unpack` */
export function progressParts(update: ProgressUpdate, meter: RateMeter): string[] {
  const { fraction, doneBytes, totalBytes, step } = update
  const done = doneBytes ?? fraction
  const rate = done === undefined ? undefined : meter.rate(done)
  const total = doneBytes === undefined ? 1 : totalBytes
  const left = rate === undefined || done === undefined || total === undefined ? undefined : (total - done) / rate
  const whole = totalBytes === undefined ? '' : ` of ${formatBytes(totalBytes)}`
  return [
    ...(fraction === undefined ? [] : [`${String(Math.floor(fraction * 100)).padStart(3)}%${whole}`]),
    ...(doneBytes === undefined || totalBytes !== undefined ? [] : [formatBytes(doneBytes)]),
    ...(rate === undefined || doneBytes === undefined ? [] : [`${formatBytes(rate)}/s`]),
    ...(left === undefined ? [] : [`${formatDuration(left)} left`]),
    ...(step === undefined ? [] : [printable(step)]),
  ]
}
