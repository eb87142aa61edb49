import type { Step } from './definition.ts'
import type { JobRow } from './job-row.ts'

type Steps = readonly Step<unknown, unknown>[]

/** Where the job stands, by the name of the step: another version may have more of them, or fewer. */
export function standing(steps: Steps, { currentStep, position }: JobRow): number {
  const named = steps.findIndex(({ name }) => name === currentStep)
  return named >= 0 ? named : Math.max(Math.min(position, steps.length - 1), 0)
}

/** What the row of a job says that stands here. */
export const standingAt = (steps: Steps, position: number): Pick<JobRow, 'position' | 'currentStep'> => ({
  position,
  currentStep: steps[position]?.name ?? null,
})

/** The nearest step from here on back that has an undo; -1 when none has. */
export const undoable = (steps: Steps, from: number): number =>
  steps.slice(0, from + 1).findLastIndex(({ undo }) => undo !== undefined)

/** How much of the whole job is done when so much of this step is, in percent. */
export function overall(steps: Steps, position: number, percent: number): number {
  const weights = steps.map(({ weight }) => weight)
  const sum = (list: number[]): number => list.reduce((a, b) => a + b, 0)
  const done = sum(weights.slice(0, position)) + ((weights[position] ?? 0) * Math.min(Math.max(percent, 0), 100)) / 100
  return Math.floor((100 * done) / sum(weights))
}
