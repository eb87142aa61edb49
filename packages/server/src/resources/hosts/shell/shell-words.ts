import { invalid } from '@wharf/platform/api-error.ts'

/** Linux limits one argument to 128 KiB, and sshd passes the whole command to the login shell as one. */
export const maxCommandBytes = 120 * 1024

/**
 * Quotes a word for any shell. Everything is quoted, because a rule without exceptions is easy to verify. A backslash is
 * in double quotes because fish, unlike other shells, interprets it in single ones.
 */
const shellWord = (word: string): string =>
  `'${word.replaceAll(/['\\]/g, (character) => (character === "'" ? `'\\''` : `'"\\\\"'`))}'`

/** One command for a login shell, which it replaces. */
export const shellCommand = (words: readonly string[]): string => `exec ${checkedWords(words).map(shellWord).join(' ')}`

/** Refuses arguments that no program can receive, on every host and before anything is started. */
export function checkedWords<Words extends readonly string[]>(words: Words): Words {
  if (words.some((word) => word.includes('\0'))) throw invalid('an argument of a program must not contain NUL')
  const bytes = words.reduce((sum, word) => sum + Buffer.byteLength(word) + 3, 0)
  if (bytes > maxCommandBytes)
    throw invalid(`the arguments of a program have ${bytes} bytes, more than ${maxCommandBytes}`)
  return words
}
