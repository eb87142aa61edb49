import type { Screen } from '../io.ts'
import { Bar } from './bar.ts'
import { Lines } from './lines.ts'

export interface ProgressNews {
  /** 0 to 1; undefined where nobody knows. */
  readonly fraction?: number | undefined
  readonly doneBytes?: number | undefined
  readonly totalBytes?: number | undefined
  /** What happens now. */
  readonly step?: string | undefined
}

export interface Progress {
  tell(news: ProgressNews): void
  /** A line that stays, above the bar. */
  say(line: string): void
  /** Leaves the screen as it was. */
  end(): void
}

export interface Look {
  readonly label: string
  readonly unicode: boolean
  readonly now: () => number
}

/** A bar on a terminal, a line per ten percent elsewhere. */
export const progressOn = (screen: Screen, look: Look): Progress =>
  screen.isTTY ? new Bar(screen, look) : new Lines(screen, look)

export const noProgress = (screen: Screen): Progress => ({
  tell: () => {},
  say: (line) => screen.write(`${line}\n`),
  end: () => {},
})
