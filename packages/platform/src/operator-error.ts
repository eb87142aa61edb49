import { getSystemErrorMessage } from 'node:util'

/** A failure that the operator can fix: one line with the fact and the remedy, which never contains a secret. */
export class OperatorError extends Error {
  override name = 'OperatorError'
}

/** Why the operating system, or a program beyond it, refused: `permission denied`, `no space left on device` … */
export function reasonOf(error: unknown): string {
  const { errno, code, message } = error as NodeJS.ErrnoException
  // a host name that DNS does not resolve has an errno that is not one of the system
  const text = typeof errno === 'number' && errno < 0 && errno > -1000 ? getSystemErrorMessage(errno) : undefined
  // several addresses that all refuse are one error without a text
  return text ?? (message || code || 'unknown reason')
}
