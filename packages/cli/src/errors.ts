import { exitCodes } from './exit-codes.ts'

/** A failure of the command itself; printed without a stack trace. */
export class CommandError extends Error {
  override readonly name: string = 'CommandError'
  readonly exitCode: number = exitCodes.failed
  /** The remedy. */
  readonly hint: string | undefined

  constructor(message: string, hint?: string) {
    super(message)
    this.hint = hint
  }
}

export class UsageError extends CommandError {
  override readonly name = 'UsageError'
  override readonly exitCode = exitCodes.usage
}

export class NotSignedInError extends CommandError {
  override readonly name = 'NotSignedInError'
  override readonly exitCode = exitCodes.notSignedIn
}

/** Ctrl-C; printed without the word "error". */
export class Interrupted extends CommandError {
  override readonly name = 'Interrupted'
  override readonly exitCode = exitCodes.interrupted
}

/** The time of --timeout is over. */
export class TimedOutError extends CommandError {
  override readonly name = 'TimedOutError'
  override readonly exitCode = exitCodes.timeout
}
