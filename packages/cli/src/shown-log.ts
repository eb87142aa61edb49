import type { Cli } from './cli.ts'
import { hasColours } from './output/colours.ts'
import { styledLine, unstyledLine } from './output/styled-line.ts'

interface LogFlags {
  /** All lines, none, or by default the output of hooks on a terminal. */
  readonly log?: boolean | undefined
  readonly timestamps?: boolean | undefined
  /** The job runs programs of a package on a host. */
  readonly runsHooks?: boolean | undefined
}

interface ShownLog {
  readonly onLog: ((line: string) => void) | undefined
  readonly timestamps: boolean | undefined
}

/** Which lines of a job's log appear above its progress bar. */
export function shownLog(cli: Cli, print: (line: string) => void, { log, timestamps, runsHooks }: LogFlags): ShownLog {
  const { stderr, env } = cli.io
  const isShown = log ? () => true : log === undefined && runsHooks && stderr.isTTY ? hookOutput() : undefined
  if (isShown === undefined) return { onLog: undefined, timestamps }
  return {
    timestamps,
    onLog: (line) => {
      if (isShown(timestamps ? line.replace(/^\S+ /, '') : line)) print(styledLine(line, hasColours(stderr, env)))
    },
  }
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
