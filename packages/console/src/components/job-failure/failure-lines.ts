/** As many lines as a reader needs to see what happened before a failure. */
const shownLines = 10

/** The part of the log that ends before the line of the failure, which is shown as the error itself. */
export function linesBefore(
  failureFirstLine: number | null,
  lastNumber = Number.POSITIVE_INFINITY,
): { after: number; limit: number } | undefined {
  const end = Math.min(failureFirstLine === null ? lastNumber : failureFirstLine - 1, lastNumber)
  if (end < 1 || end === Number.POSITIVE_INFINITY) return undefined
  const after = Math.max(0, end - shownLines)
  return { after, limit: end - after }
}

const failureStart = /^failed: (?:[A-Za-z]+\.\d+ )?/
const textOf = (line: string): string => line.replace(failureStart, '')

/** The lines that add something to the text of the failure, which often ends with the output of a program. */
export function linesBeyond(failure: string, lines: readonly string[]): readonly string[] {
  const repeated = new Set(failure.split(/\r?\n/).map((line) => line.trim()))
  const isRepeated = (line: string): boolean =>
    repeated.has(line) || failure.includes(`: ${line}`) || (failureStart.test(line) && failure.includes(textOf(line)))
  const kept = lines.filter((line) => !isRepeated(line.trim()))
  return kept.some((line) => line.trim() !== '' && !/^step \w+$/.test(line)) ? kept : []
}
