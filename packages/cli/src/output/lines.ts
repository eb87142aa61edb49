import type { Screen } from '../io.ts'
import { Pace, words } from './pace.ts'
import type { Look, Progress, ProgressNews } from './progress.ts'

/** For logs: a line per ten percent. */
export class Lines implements Progress {
  readonly #screen: Screen
  readonly #look: Look
  readonly #pace: Pace
  #tenths = 0

  constructor(screen: Screen, look: Look) {
    this.#screen = screen
    this.#look = look
    this.#pace = new Pace(look.now)
  }

  tell(news: ProgressNews): void {
    const tenths = Math.floor((news.fraction ?? 0) * 10)
    if (tenths <= this.#tenths) return
    this.#tenths = tenths
    const [percent, ...more] = words({ ...news, fraction: tenths / 10 }, this.#pace)
    this.#screen.write(`${this.#look.label}: ${[percent?.trim(), ...more].join(', ')}\n`)
  }

  say(line: string): void {
    this.#screen.write(`${line}\n`)
  }

  end(): void {}
}
