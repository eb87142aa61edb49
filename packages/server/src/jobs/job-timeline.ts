import { isActiveJob, type JobStepState, type JobUndoState } from '@wharf/contract'
import type { JobRow } from './job-row.ts'

/** A line of the log with a kind; that of a step or an undo ends with the name of the step. */
export interface RunnerLine {
  readonly sequence: number
  readonly at: number
  readonly line: string
  readonly kind: string | null
}

export interface StepTimes {
  readonly name: string
  state: JobStepState
  undoState: JobUndoState | null
  startedAt: number | null
  endedAt: number | null
  undoStartedAt: number | null
  undoEndedAt: number | null
  logLine: number | null
  undoLogLine: number | null
}

export interface JobTimeline {
  readonly steps: readonly StepTimes[]
  readonly failureFirstLine: number | null
  readonly failureLastLine: number | null
}

const pendingStep = (name: string): StepTimes => ({
  name,
  state: 'Pending',
  undoState: null,
  startedAt: null,
  endedAt: null,
  undoStartedAt: null,
  undoEndedAt: null,
  logLine: null,
  undoLogLine: null,
})

/**
 * The states and times of a job's steps. A step ends when the next one starts, when the job fails, or when it ends; one
 * that was interrupted by a crash starts again and keeps its first time.
 */
export function jobTimeline(
  { state, position, errorCode, lastOpDate }: Pick<JobRow, 'state' | 'position' | 'errorCode' | 'lastOpDate'>,
  names: readonly string[],
  lines: readonly RunnerLine[],
): JobTimeline {
  const isBeforeFirstLine = state === 'Waiting' || (state === 'Running' && position === 0)
  // a node of an older version stores no kinds, so what its steps did is unknown
  if (lines.length === 0 && !isBeforeFirstLine) return { steps: [], failureFirstLine: null, failureLastLine: null }
  const steps = new Map(names.map((name) => [name, pendingStep(name)]))
  const stopped = errorCode === 'SYS.1017' ? 'Cancelled' : 'Failed'
  let current: StepTimes | undefined
  for (const { kind, at, sequence, line } of lines) {
    if (kind === 'step' || kind === 'undo') {
      const name = line.slice(kind.length + 1)
      const step = steps.get(name) ?? pendingStep(name)
      steps.set(name, step)
      if (current !== step) end(current, at)
      current = step
      start(step, kind, at, sequence)
    } else {
      end(current, at, { state: stopped, undoState: 'UndoFailed' })
      current = undefined
    }
  }
  if (!isActiveJob(state)) {
    end(current, lastOpDate)
    for (const step of steps.values()) if (step.state === 'Pending') step.state = 'Skipped'
  }
  return { steps: [...steps.values()], ...lastFailure(lines) }
}

/** A job that continued after a crash may have failed before; the lines in between are not part of the failure. */
function lastFailure(lines: readonly RunnerLine[]): Omit<JobTimeline, 'steps'> {
  const numbers = lines.filter(({ kind }) => kind === 'failure').map(({ sequence }) => sequence)
  const last = numbers.at(-1) ?? null
  const first = numbers.findLast((number, index) => numbers[index - 1] !== number - 1) ?? null
  return { failureFirstLine: first, failureLastLine: last }
}

function start(step: StepTimes, kind: 'step' | 'undo', at: number, sequence: number): void {
  if (kind === 'step') {
    step.state = 'Running'
    step.startedAt ??= at
    step.logLine ??= sequence
  } else {
    step.undoState = 'Undoing'
    step.undoStartedAt ??= at
    step.undoLogLine ??= sequence
  }
}

const succeeded = { state: 'Succeeded', undoState: 'Undone' } as const

/** Ends the step or the undo that is running. */
function end(
  step: StepTimes | undefined,
  at: number,
  result: { state: JobStepState; undoState: JobUndoState } = succeeded,
): void {
  if (step?.undoState === 'Undoing') {
    step.undoState = result.undoState
    step.undoEndedAt = at
  } else if (step?.state === 'Running') {
    step.state = result.state
    step.endedAt = at
  }
}
