/** Also documented in `wharf --help` and docs/cli.md. */
export const exitCodes = {
  ok: 0,
  failed: 1,
  usage: 2,
  cancelled: 3,
  notSignedIn: 4,
  timeout: 5,
  interrupted: 130,
} as const

export const exitCodeMeanings: Readonly<Record<keyof typeof exitCodes, string>> = {
  ok: 'success',
  failed: 'the operation failed',
  usage: 'invalid usage',
  cancelled: 'the job was cancelled',
  notSignedIn: 'not signed in',
  timeout: 'timed out',
  interrupted: 'interrupted by Ctrl-C',
}

const byErrorCode: Readonly<Record<string, number>> = {
  'SYS.1001': exitCodes.timeout,
  'SYS.1017': exitCodes.cancelled,
  'ID.1000': exitCodes.notSignedIn,
  'ID.1001': exitCodes.notSignedIn,
  'ID.1003': exitCodes.notSignedIn,
}

const gatewayTimeout = 504

/** Identifies errors by name: importing their classes would load the SDK. */
export function exitCodeOf(error: unknown): number {
  const { name, code, exitCode, status } = error as { name?: string; code?: string; exitCode?: number; status?: number }
  if (typeof exitCode === 'number') return exitCode
  if (name === 'WharfError') return byErrorCode[code ?? ''] ?? exitCodes.failed
  if (name === 'ConnectionError' && status === gatewayTimeout) return exitCodes.timeout
  return exitCodes.failed
}
