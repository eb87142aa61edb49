import type { OutputStream } from '../io.ts'
import type { Progress, ProgressStyle } from './progress.ts'
import { ProgressBar } from './progress-bar.ts'
import { ProgressLines } from './progress-lines.ts'

/** A bar on a terminal, a line per ten percent elsewhere. */
export const createProgress = (stream: OutputStream, style: ProgressStyle): Progress =>
  stream.isTTY ? new ProgressBar(stream, style) : new ProgressLines(stream, style)

export const noProgress: Progress = { update: () => {}, print: () => {}, end: () => {} }
