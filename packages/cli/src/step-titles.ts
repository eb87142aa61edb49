/** Replaces the names of steps in the log of a job by what they do. */
export async function stepTitles(operation: string) {
  const { jobStepTitle, titledLogLine } = await import('@wharf/contract')
  const titleOf = (step: string): string => jobStepTitle(operation, step)
  const names = { step: 'Step', undo: 'Undo' } as const
  return {
    titleOf,
    titledLine: (line: string): string => titledLogLine(line, (kind, step) => `${names[kind]}: ${titleOf(step)}`),
  }
}
