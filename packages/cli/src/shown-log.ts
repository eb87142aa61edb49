import type { Cli } from './cli.ts'
import { hasColours } from './output/colours.ts'
import { styledLine, unstyledLine } from './output/styled-line.ts'

interface LogFlags {
  /** All lines, none, or by default the output of hooks on a terminal. */
  readonly log?: boolean | undefined
  readonly timestamps?: boolean | undefined
  /** The job runs programs of a package on a host. */
  readonly runsHooks?: boolean | undefined
  /** Shows a line of the runner by the title of its step. */
  readonly titledLine: (line: string) => string
}

interface ShownLog {
  readonly onLog: ((line: string) => void) | undefined
  readonly timestamps: boolean | undefined
}

/** Which lines of a job's log appear above its progress bar. */
export function shownLog(cli: Cli, print: (line: string) => void, flags: LogFlags): ShownLog {
  const { log, timestamps, runsHooks, titledLine } = flags
  const { stderr, env } = cli.io
  const isShown = log ? () => true : log === undefined && runsHooks && stderr.isTTY ? hookOutput() : undefined
  if (isShown === undefined) return { onLog: undefined, timestamps }
  return {
    timestamps,
    onLog: (text) => {
      const { time, line } = timestamps ? timedLine(text) : { time: '', line: text }
      if (isShown(line)) print(styledLine(time + titledLine(line), hasColours(stderr, env)))
    },
  }
}

/** The time, with the blank after it, and the line that it precedes. */
export function timedLine(text: string): { time: string; line: string } {
  const end = text.indexOf(' ') + 1
  return { time: text.slice(0, end), line: text.slice(end) }
}

/** Selects what hooks print: not the lines of the runner, nor the failure, which the command prints itself. */
function hookOutput(): (line: string) => boolean {
  let isFailure = false
  return (line) => {
    const text = unstyledLine(line)
    const isStep = /^(step|undo) [\w-]+$/.test(text)
    isFailure = !isStep && (isFailure || /^failed: [A-Za-z]+\.\d+ /.test(text))
    return !isStep && !isFailure
  }
}
