import { printable } from './printable.ts'
import type { ProgressNews } from './progress.ts'
import { bytes, duration } from './quantities.ts'

/** The rate over the last seconds, so that a pause is seen and forgotten. */
export class Pace {
  readonly #now: () => number
  readonly #seen: { at: number; done: number }[] = []
  static readonly windowMs = 10_000

  constructor(now: () => number) {
    this.#now = now
  }

  /** Per second; undefined until there is something to go by. */
  rate(done: number): number | undefined {
    const at = this.#now()
    this.#seen.push({ at, done })
    while (this.#seen.length > 2 && at - (this.#seen[0]?.at ?? at) > Pace.windowMs) this.#seen.shift()
    const [first] = this.#seen
    if (first === undefined || at - first.at < 500 || done <= first.done) return undefined
    return ((done - first.done) * 1000) / (at - first.at)
  }
}

/** `63 %  12.3 MiB/s  0:42 left  unpack` */
export function words(news: ProgressNews, pace: Pace): string[] {
  const { fraction, doneBytes, totalBytes, step } = news
  const done = doneBytes ?? fraction
  const rate = done === undefined ? undefined : pace.rate(done)
  const total = doneBytes === undefined ? 1 : totalBytes
  const left = rate === undefined || done === undefined || total === undefined ? undefined : (total - done) / rate
  const whole = totalBytes === undefined ? '' : ` of ${bytes(totalBytes)}`
  return [
    ...(fraction === undefined ? [] : [`${String(Math.floor(fraction * 100)).padStart(3)} %${whole}`]),
    ...(doneBytes === undefined || totalBytes !== undefined ? [] : [bytes(doneBytes)]),
    ...(rate === undefined || doneBytes === undefined ? [] : [`${bytes(rate)}/s`]),
    ...(left === undefined ? [] : [`${duration(left)} left`]),
    ...(step === undefined ? [] : [printable(step)]),
  ]
}
