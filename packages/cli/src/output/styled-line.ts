import { printable } from './printable.ts'

/** The only escape sequences in a job's log: colours and text styles. */
const styleSequence = /\u001b\[[\d;]*m/g
const reset = '\u001b[0m'

/** The text of a line, for a file or another program. */
export const unstyledLine = (line: string): string => line.replaceAll(styleSequence, '')

/** A line for a terminal, with its colours or without. Other control characters are escaped: they may be hostile. */
export function styledLine(line: string, hasColours: boolean): string {
  const sequences = hasColours ? (line.match(styleSequence) ?? []) : []
  const parts = line.split(styleSequence).map(printable)
  const end = sequences.length > 0 && sequences.at(-1) !== reset ? reset : ''
  return parts.map((part, index) => `${part}${sequences[index] ?? ''}`).join('') + end
}
