import { invalid } from '@wharf/platform/api-error.ts'

/** Linux takes no single argument beyond 128 KiB, and sshd hands the whole command to the login shell as one. */
export const maxCommandBytes = 120 * 1024

/**
 * A word as a shell reads it back, whatever is in it. Everything is quoted: a rule without exceptions is easy to trust.
 * The backslash stands in double quotes because fish, unlike the others, takes it as special in single ones.
 */
const shellWord = (word: string): string =>
  `'${word.replaceAll(/['\\]/g, (character) => (character === "'" ? `'\\''` : `'"\\\\"'`))}'`

/** One command for a login shell, which it replaces. */
export function shellCommand(words: readonly string[]): string {
  return `exec ${checkedWords(words).map(shellWord).join(' ')}`
}

/** What no program can be given is refused the same way on every host, before anything is started. */
export function checkedWords<Words extends readonly string[]>(words: Words): Words {
  if (words.some((word) => word.includes('\0'))) throw invalid('an argument of a program must not contain NUL')
  const bytes = words.reduce((sum, word) => sum + Buffer.byteLength(word) + 3, 0)
  if (bytes > maxCommandBytes)
    throw invalid(`the arguments of a program have ${bytes} bytes, more than ${maxCommandBytes}`)
  return words
}
