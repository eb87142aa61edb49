import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { homedir } from 'node:os'
import { ApiError } from '@wharf/platform/api-error.ts'
import { waitUntilSpawned } from '@wharf/ssh/wait-until-spawned.ts'
import { hostSearchPath } from './guard.ts'
import { checkedWords } from './shell-words.ts'

export type Words = readonly [string, ...string[]]

/** The way to a host: it starts a program there, given as words, and joins us to its standard streams. */
export interface Transport {
  /** For messages: `host 10.0.0.5`. */
  readonly host: string
  /** A connection to it stands, and notices by itself when the host goes. */
  readonly isStanding: boolean
  /** The end of a program here may not reach the program there. */
  readonly losesPackets: boolean
  /** `attempt` counts from 0: a later one is more patient with a slow host. */
  open(words: Words, signal: AbortSignal, attempt?: number): Promise<ChildProcessWithoutNullStreams>
  /** What it means that the way ended before the program did. `said` is what came on the error stream. */
  failure(said: string, hadBegun: boolean): ApiError
  close(): Promise<void>
}

/** This machine itself. */
export class LocalTransport implements Transport {
  readonly host = 'this node'
  readonly isStanding = false
  readonly losesPackets = false

  async open(words: Words, signal: AbortSignal): Promise<ChildProcessWithoutNullStreams> {
    signal.throwIfAborted()
    const [program, ...args] = checkedWords(words)
    // detached: Ctrl-C at the server's terminal is for the server, which then ends its jobs in good order
    const options = { cwd: '/', env: { PATH: hostSearchPath, HOME: homedir() }, detached: true }
    return waitUntilSpawned(spawn(program, args, options))
  }

  failure(said: string): ApiError {
    return new ApiError('SYS.1016', `a program on ${this.host} ended without a word: ${said.trim() || 'it was killed'}`)
  }

  async close(): Promise<void> {}
}
