import type { OutputStream } from '../io.ts'
import type { Progress, ProgressStyle, ProgressUpdate } from './progress.ts'
import { progressParts, RateMeter } from './rate-meter.ts'
import { padded, shortened } from './text-width.ts'

const redrawMs = 100
const barColumns = 24
const clearLine = '\r\u001b[K'

/** Progress for terminals: one line that is redrawn. */
export class ProgressBar implements Progress {
  readonly #stream: OutputStream
  readonly #style: ProgressStyle
  readonly #meter: RateMeter
  #drawnAt = Number.NEGATIVE_INFINITY
  #line = ''

  constructor(stream: OutputStream, style: ProgressStyle) {
    this.#stream = stream
    this.#style = style
    this.#meter = new RateMeter(style.now)
  }

  update(update: ProgressUpdate): void {
    const { fraction } = update
    const at = this.#style.now()
    if (at - this.#drawnAt < redrawMs && fraction !== 1) return
    this.#drawnAt = at
    const text = progressParts(update, this.#meter).join('  ')
    const line = [this.#style.label, ...(fraction === undefined ? [] : [this.#bar(fraction)]), text].join('  ')
    // one column stays free: some terminals wrap after the last one
    this.#line = shortened(line, (this.#stream.columns ?? 80) - 1)
    this.#stream.write(clearLine + this.#line)
  }

  print(line: string): void {
    this.#stream.write(`${clearLine}${line}\n${this.#line}`)
  }

  end(): void {
    if (this.#line !== '') this.#stream.write(clearLine)
    this.#line = ''
  }

  #bar(fraction: number): string {
    const full = Math.round(Math.min(1, fraction) * barColumns)
    const [done, open] = this.#style.unicode ? ['█', '░'] : ['#', '-']
    return `[${padded(done.repeat(full) + open.repeat(barColumns - full), barColumns)}]`
  }
}
