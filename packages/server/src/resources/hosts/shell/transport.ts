import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { homedir } from 'node:os'
import type { Readable, Writable } from 'node:stream'
import { ApiError } from '@wharf/platform/api-error.ts'
import { waitUntilSpawned } from '@wharf/ssh/wait-until-spawned.ts'
import { hostSearchPath } from './guard.ts'
import { checkedWords } from './shell-words.ts'

/** A process that the program left behind may keep the streams open. */
const maxCloseMs = 1000

export type Words = readonly [string, ...string[]]

/** A program on a host, and its standard streams. */
export interface HostProgram {
  readonly stdin: Writable
  readonly stdout: Readable
  readonly stderr: Readable
  /** After its streams have ended: its exit code, or null when it was killed or the connection is lost. */
  readonly ended: Promise<number | null>
  kill(): void
}

export interface OpenOptions {
  /** Counts from 0; a later one waits longer for a slow host. */
  readonly attempt?: number
  /** It reads or writes many bytes. */
  readonly carriesFile?: boolean
}

/** Starts a program on a host, given as words, and connects its standard streams. */
export interface Transport {
  /** For messages: `host 10.0.0.5`. */
  readonly host: string
  /** A connection is open, and closes automatically when the host stops answering. */
  readonly isConnected: boolean
  /** The end of the local program may not reach the program on the host. */
  readonly losesPackets: boolean
  open(words: Words, signal: AbortSignal, options?: OpenOptions): Promise<HostProgram>
  /** The failure when the connection ended before the program. `stderr` is what arrived on the error stream. */
  failure(stderr: string, hadStarted: boolean): ApiError
  close(): Promise<void>
}

/** A local process as a program on a host. */
export async function startProgram(child: ChildProcessWithoutNullStreams): Promise<HostProgram> {
  const { promise: ended, resolve } = Promise.withResolvers<number | null>()
  child.on('close', resolve).on('exit', (code) => void setTimeout(() => resolve(code), maxCloseMs).unref())
  const { stdin, stdout, stderr } = await waitUntilSpawned(child)
  return { stdin, stdout, stderr, ended, kill: () => void child.kill('SIGKILL') }
}

/** The machine of this node. */
export class LocalTransport implements Transport {
  readonly host = 'this node'
  readonly isConnected = false
  readonly losesPackets = false

  async open(words: Words, signal: AbortSignal): Promise<HostProgram> {
    signal.throwIfAborted()
    const [program, ...args] = checkedWords(words)
    // detached: Ctrl-C at the server's terminal must reach only the server, which then ends its jobs in order
    const options = { cwd: '/', env: { PATH: hostSearchPath, HOME: homedir() }, detached: true }
    return await startProgram(spawn(program, args, options))
  }

  failure(stderr: string): ApiError {
    return new ApiError(
      'SYS.1016',
      `a program on ${this.host} ended without a result: ${stderr.trim() || 'it was killed'}`,
    )
  }

  async close(): Promise<void> {}
}
