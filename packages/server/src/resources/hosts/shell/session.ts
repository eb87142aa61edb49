import type { Readable, Writable } from 'node:stream'
import { onAbort } from '@wharf/platform/abort.ts'
import { ApiError } from '@wharf/platform/api-error.ts'
import { isTransientFailure, sshExitCode } from '@wharf/ssh/failure.ts'
import { retryInJob } from '../../../jobs/retry-in-job.ts'
import { newMarker, skipToStart } from './marker.ts'
import type { HostProgram, Transport } from './transport.ts'

/** After this a script that has not started is lost, unless the connection shows that the host is only slow. */
const maxStartMs = 14_000
const maxSlowStartMs = 60_000
/** The guard ends a program within two seconds; after this the connection is lost. */
const maxStopMs = 4000
/** After its last line a script only exits. */
const maxExitMs = 200

interface SessionOptions {
  readonly signal: AbortSignal
  /** How long a script may take to stop after the end of its standard input. */
  readonly stopMs?: number
  readonly carriesFile?: boolean
}

/** A shell script on a host, from its marked start to its end. */
export class Session {
  readonly marker: string
  readonly #program: HostProgram
  readonly #transport: Transport
  #hasStarted = false

  private constructor(
    transport: Transport,
    program: HostProgram,
    marker: string,
    { signal, stopMs = maxStopMs }: SessionOptions,
  ) {
    this.#transport = transport
    this.#program = program
    this.marker = marker
    const aborted = onAbort(signal, () => {
      program.stdin.destroy()
      this.#killAfter(stopMs)
    })
    void program.ended.then(() => aborted[Symbol.dispose]())
  }

  static async open(
    transport: Transport,
    script: string,
    args: readonly string[],
    options: SessionOptions,
  ): Promise<Session> {
    const marker = newMarker()
    const words = ['sh', '-c', script, marker, ...args] as const
    const { signal, carriesFile = false } = options
    const open = (attempt: number) => transport.open(words, signal, { attempt, carriesFile })
    const program = await retryInJob(open, { signal, isTransient: isTransientFailure })
    return new Session(transport, program, marker, options)
  }

  /** After the script and its streams have ended: its exit code, or null when it was killed. */
  get ended(): Promise<number | null> {
    return this.#program.ended
  }

  get stdin(): Writable {
    return this.#program.stdin
  }

  get stdout(): Readable {
    return this.#program.stdout
  }

  get stderr(): Readable {
    return this.#program.stderr
  }

  /** Positions these streams at the first output of the script; false when it ended before. */
  async waitForStart(...streams: Readable[]): Promise<{ found: boolean; noise: string }> {
    const limit = setTimeout(() => this.kill(), maxSlowStartMs)
    const timer = setInterval(() => this.#transport.isConnected || this.kill(), maxStartMs)
    // the streams of an ended program are drained unless they have a reader: the output of one stream must not be lost
    // while the start of the other is awaited
    const keepBuffered = (): void => {}
    for (const stream of streams) stream.on('readable', keepBuffered)
    try {
      const skipped = await Promise.all(streams.map((stream) => skipToStart(stream, this.marker)))
      this.#hasStarted = skipped.every(({ found }) => found)
      return { found: this.#hasStarted, noise: skipped.map(({ noise }) => noise).join('\n') }
    } finally {
      clearInterval(timer)
      clearTimeout(limit)
      for (const stream of streams) stream.off('readable', keepBuffered)
    }
  }

  /** Does not wait for a stream that another process keeps open. */
  closeSoon(withinMs = maxExitMs): void {
    this.#killAfter(withinMs)
  }

  kill(): void {
    this.#program.kill()
  }

  /** The failure of a script without a result. */
  failure(exitCode: number | null, stderr: string): ApiError {
    if (exitCode === null || exitCode === sshExitCode) return this.#transport.failure(stderr, this.#hasStarted)
    const reason = stderr.trim().slice(-500)
    return new ApiError('SYS.1016', `${this.#transport.host} cannot run sh (exit code ${exitCode}): ${reason}`)
  }

  #killAfter(ms: number): void {
    const timer = setTimeout(() => this.kill(), ms)
    void this.ended.then(() => clearTimeout(timer))
  }
}
