import type { Screen } from '../io.ts'
import { Bar } from './bar.ts'
import { Lines } from './lines.ts'
import type { Look, Progress } from './progress.ts'

/** A bar on a terminal, a line per ten percent elsewhere. */
export const progressOn = (screen: Screen, look: Look): Progress =>
  screen.isTTY ? new Bar(screen, look) : new Lines(screen, look)

export const noProgress = (screen: Screen): Progress => ({
  tell: () => {},
  say: (line) => screen.write(`${line}\n`),
  end: () => {},
})
