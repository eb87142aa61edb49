import type { JobSteps } from '../job-steps/use-job-steps.ts'

/** A line of the runner that is shown as a heading. */
export type LogHeading = { readonly kind: 'step' | 'undo'; readonly step: string } | { readonly kind: 'failure' }

export interface LogHeadings {
  /** By the number of the line. */
  readonly headings: ReadonlyMap<number, LogHeading>
  /** The numbers of lines that are not shown: the text of the failure is above the log. */
  readonly hidden: readonly number[]
}

export function logHeadings({ steps, failureLines }: JobSteps): LogHeadings {
  const headings = new Map<number, LogHeading>()
  for (const { name = '', logLine, undoLogLine } of steps) {
    if (logLine) headings.set(logLine, { kind: 'step', step: name })
    if (undoLogLine) headings.set(undoLogLine, { kind: 'undo', step: name })
  }
  if (failureLines === undefined) return { headings, hidden: [] }
  const { first, last } = failureLines
  headings.set(first, { kind: 'failure' })
  return { headings, hidden: Array.from({ length: last - first }, (_, index) => first + index + 1) }
}

/** The code of the failure: `failed: SYS.1016 no space left`, or `ended by another node than …: SYS.1012 …`. */
export const failureCode = (line: string): string | undefined => /: ([A-Za-z]+\.\d+) /.exec(line)?.[1]
