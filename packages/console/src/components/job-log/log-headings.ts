import type { JobSteps } from '../job-steps/use-job-steps.ts'

type HeadingKind = 'step' | 'undo' | 'failure'

/** The lines of the runner that are shown as headings, by their numbers. */
export interface LogHeadings {
  readonly kinds: ReadonlyMap<number, HeadingKind>
  /** What the steps and undos are shown as. */
  readonly titles: ReadonlyMap<number, string>
  /** The numbers of lines that are not shown: the text of the failure is above the log. */
  readonly hidden: readonly number[]
}

type TitleOf = (kind: 'step' | 'undo', step: string) => string

export function logHeadings({ steps, failureLines }: JobSteps, titleOf: TitleOf): LogHeadings {
  const kinds = new Map<number, HeadingKind>()
  const titles = new Map<number, string>()
  const add = (number: number | null | undefined, kind: 'step' | 'undo', step: string): void => {
    if (!number) return
    kinds.set(number, kind)
    titles.set(number, titleOf(kind, step))
  }
  for (const { name = '', logLine, undoLogLine } of steps) {
    add(logLine, 'step', name)
    add(undoLogLine, 'undo', name)
  }
  if (failureLines === undefined) return { kinds, titles, hidden: [] }
  const { first, last } = failureLines
  kinds.set(first, 'failure')
  return { kinds, titles, hidden: Array.from({ length: last - first }, (_, index) => first + index + 1) }
}

/** The code of the failure: `failed: SYS.1016 no space left`, or `ended by another node than …: SYS.1012 …`. */
export const failureCode = (line: string): string | undefined => /: ([A-Za-z]+\.\d+) /.exec(line)?.[1]
