import type { Screen } from '../io.ts'
import { Pace, words } from './pace.ts'
import type { Look, Progress, ProgressNews } from './progress.ts'
import { padded, shortened } from './width.ts'

const redrawMs = 100
const barColumns = 24
const clearLine = '\r\u001b[K'

/** One line of a terminal, drawn over and over. */
export class Bar implements Progress {
  readonly #screen: Screen
  readonly #look: Look
  readonly #pace: Pace
  #drawnAt = Number.NEGATIVE_INFINITY
  #line = ''

  constructor(screen: Screen, look: Look) {
    this.#screen = screen
    this.#look = look
    this.#pace = new Pace(look.now)
  }

  tell(news: ProgressNews): void {
    const at = this.#look.now()
    if (at - this.#drawnAt < redrawMs && news.fraction !== 1) return
    this.#drawnAt = at
    const said = words(news, this.#pace).join('  ')
    const line = [this.#look.label, ...(news.fraction === undefined ? [] : [this.#bar(news.fraction)]), said].join('  ')
    // one column is left free: some terminals wrap when the last one is used
    this.#line = shortened(line, (this.#screen.columns ?? 80) - 1)
    this.#screen.write(clearLine + this.#line)
  }

  say(line: string): void {
    this.#screen.write(`${clearLine}${line}\n${this.#line}`)
  }

  end(): void {
    if (this.#line !== '') this.#screen.write(clearLine)
    this.#line = ''
  }

  #bar(fraction: number): string {
    const full = Math.round(Math.min(1, fraction) * barColumns)
    const [done, open] = this.#look.unicode ? ['█', '░'] : ['#', '-']
    return `[${padded(done.repeat(full) + open.repeat(barColumns - full), barColumns)}]`
  }
}
