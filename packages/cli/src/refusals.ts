import { exitCodes } from './exit-codes.ts'

/** The command itself cannot go on; its message is all there is to say. */
export class Refusal extends Error {
  override readonly name: string = 'Refusal'
  readonly exitCode: number = exitCodes.failed
  /** What to do about it. */
  readonly hint: string | undefined

  constructor(message: string, hint?: string) {
    super(message)
    this.hint = hint
  }
}

export class UsageError extends Refusal {
  override readonly name = 'UsageError'
  override readonly exitCode = exitCodes.usage
}

export class NotSignedIn extends Refusal {
  override readonly name = 'NotSignedIn'
  override readonly exitCode = exitCodes.notSignedIn
}

/** Ctrl-C; what there was to say about it has been said. */
export class Interrupted extends Refusal {
  override readonly name = 'Interrupted'
  override readonly exitCode = exitCodes.interrupted
}
