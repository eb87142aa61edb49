import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { homedir } from 'node:os'
import { ApiError } from '@wharf/platform/api-error.ts'
import { waitUntilSpawned } from '@wharf/ssh/wait-until-spawned.ts'
import { hostSearchPath } from './guard.ts'
import { checkedWords } from './shell-words.ts'

export type Words = readonly [string, ...string[]]

/** Starts a program on a host, given as words, and connects its standard streams. */
export interface Transport {
  /** For messages: `host 10.0.0.5`. */
  readonly host: string
  /** A connection is open, and closes automatically when the host stops answering. */
  readonly isConnected: boolean
  /** The end of the local program may not reach the program on the host. */
  readonly losesPackets: boolean
  /** `attempt` counts from 0; a later one waits longer for a slow host. */
  open(words: Words, signal: AbortSignal, attempt?: number): Promise<ChildProcessWithoutNullStreams>
  /** The failure when the connection ended before the program. `stderr` is what arrived on the error stream. */
  failure(stderr: string, hadStarted: boolean): ApiError
  close(): Promise<void>
}

/** The machine of this node. */
export class LocalTransport implements Transport {
  readonly host = 'this node'
  readonly isConnected = false
  readonly losesPackets = false

  async open(words: Words, signal: AbortSignal): Promise<ChildProcessWithoutNullStreams> {
    signal.throwIfAborted()
    const [program, ...args] = checkedWords(words)
    // detached: Ctrl-C at the server's terminal must reach only the server, which then ends its jobs in order
    const options = { cwd: '/', env: { PATH: hostSearchPath, HOME: homedir() }, detached: true }
    return waitUntilSpawned(spawn(program, args, options))
  }

  failure(stderr: string): ApiError {
    return new ApiError(
      'SYS.1016',
      `a program on ${this.host} ended without a result: ${stderr.trim() || 'it was killed'}`,
    )
  }

  async close(): Promise<void> {}
}
