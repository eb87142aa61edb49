import type { Step } from './definition.ts'
import type { JobRow } from './job-row.ts'

type Steps = readonly Step<unknown, unknown>[]

/** The step to resume at, found by its name: another version may have more steps, or fewer. */
export function resumeIndex(steps: Steps, { currentStep, position }: JobRow): number {
  const named = steps.findIndex(({ name }) => name === currentStep)
  return named >= 0 ? named : Math.max(Math.min(position, steps.length - 1), 0)
}

/** The columns of a job that is at this step. */
export const stepPosition = (steps: Steps, position: number): Pick<JobRow, 'position' | 'currentStep'> => ({
  position,
  currentStep: steps[position]?.name ?? null,
})

/** The last step up to this one that has an undo; -1 when none has. */
export const lastUndoable = (steps: Steps, upTo: number): number =>
  steps.slice(0, upTo + 1).findLastIndex(({ undo }) => undo !== undefined)

/** The progress of the whole job in percent, given that of one step. */
export function overallProgress(steps: Steps, position: number, percent: number): number {
  const weights = steps.map(({ weight }) => weight)
  const sum = (list: number[]): number => list.reduce((a, b) => a + b, 0)
  const done = sum(weights.slice(0, position)) + ((weights[position] ?? 0) * Math.min(Math.max(percent, 0), 100)) / 100
  return Math.floor((100 * done) / sum(weights))
}
