/**
 * The escape sequences of terminals (ECMA-48): control sequences, strings such as titles and links, and short ones. A
 * sequence that is cut off is one too, and of a string without an end only the start, so that no text is hidden.
 */
const escapeSequence =
  /\u001b(?:\[[0-?]*[ -/]*(?:[@-~]|(?=[^ -~]|$))|[\]PX^_][^\u0007\u001b\n]*(?:\u0007|\u001b\\)|[ -/]*[0-~])/g

export const hasEscape = (text: string): boolean => text.includes('\u001b')

export const replaceEscapeSequences = (
  text: string,
  replacement: (sequence: string, offset: number) => string,
): string => (hasEscape(text) ? text.replaceAll(escapeSequence, replacement) : text)
