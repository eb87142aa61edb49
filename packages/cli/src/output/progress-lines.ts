import type { OutputStream } from '../io.ts'
import type { Progress, ProgressStyle, ProgressUpdate } from './progress.ts'
import { progressParts, RateMeter } from './rate-meter.ts'

/** Progress for logs: a line per ten percent. */
export class ProgressLines implements Progress {
  readonly #stream: OutputStream
  readonly #style: ProgressStyle
  readonly #meter: RateMeter
  #tenths = 0

  constructor(stream: OutputStream, style: ProgressStyle) {
    this.#stream = stream
    this.#style = style
    this.#meter = new RateMeter(style.now)
  }

  update(update: ProgressUpdate): void {
    const tenths = Math.floor((update.fraction ?? 0) * 10)
    if (tenths <= this.#tenths) return
    this.#tenths = tenths
    const [percent, ...more] = progressParts({ ...update, fraction: tenths / 10 }, this.#meter)
    this.#stream.write(`${this.#style.label}: ${[percent?.trim(), ...more].join(', ')}\n`)
  }

  print(line: string): void {
    this.#stream.write(`${line}\n`)
  }

  end(): void {}
}
