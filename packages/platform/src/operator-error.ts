import { getSystemErrorMessage } from 'node:util'

/** What an operator can put right: one line that says what is wrong and what to do, and never holds a secret. */
export class OperatorError extends Error {
  override name = 'OperatorError'
}

/** Why the operating system, or a program beyond it, refused: `permission denied`, `no space left on device` … */
export function reasonOf(error: unknown): string {
  const { errno, code, message } = error as NodeJS.ErrnoException
  // an address that no name server knows has a number that is no error of the system's
  const words = typeof errno === 'number' && errno < 0 && errno > -1000 ? getSystemErrorMessage(errno) : undefined
  // several addresses that all refuse are one error without a text
  return words ?? (message || code || 'unknown reason')
}
