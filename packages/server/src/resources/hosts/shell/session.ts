import type { ChildProcessWithoutNullStreams } from 'node:child_process'
import type { Readable, Writable } from 'node:stream'
import { onAbort } from '@wharf/platform/abort.ts'
import { ApiError } from '@wharf/platform/api-error.ts'
import { isTransientFailure, sshExitCode } from '@wharf/ssh/failure.ts'
import { retryInJob } from '../../../jobs/retry-in-job.ts'
import type { HostShell, ShellScript } from './host-shells.ts'
import { newMarker, skipToStart } from './marker.ts'
import type { Transport } from './transport.ts'

/** After this a script that has not started is lost, unless the connection shows that the host is only slow. */
const maxStartMs = 14_000
const maxSlowStartMs = 60_000
/** The guard ends a program within two seconds; after this the connection is lost. */
const maxStopMs = 4000
/** A process that the program left behind may keep the streams open. */
const maxCloseMs = 1000
/** After its last line a script only exits. */
const maxExitMs = 200

export interface ShellCommand {
  readonly script: ShellScript
  readonly args: readonly string[]
}

interface SessionOptions {
  readonly signal: AbortSignal
  /** How long a script may take to stop after the end of its standard input. */
  readonly stopMs?: number
}

/** A shell script on a host, from its marked start to its end. */
export class Session {
  readonly marker: string
  readonly #child: ChildProcessWithoutNullStreams
  readonly #transport: Transport
  /** After the process and its streams have ended: the exit code, or null when it was killed. */
  readonly ended: Promise<number | null>
  readonly #detach: () => void
  #hasStarted = false

  private constructor(
    transport: Transport,
    child: ChildProcessWithoutNullStreams,
    marker: string,
    { signal, stopMs = maxStopMs }: SessionOptions,
  ) {
    this.#transport = transport
    this.#child = child
    this.marker = marker
    const { promise, resolve } = Promise.withResolvers<number | null>()
    const exit = (code: number | null): void => void setTimeout(() => resolve(code), maxCloseMs).unref()
    child.on('close', resolve).on('exit', exit)
    this.ended = promise
    const aborted = onAbort(signal, () => {
      child.stdin.destroy()
      this.#killAfter(stopMs)
    })
    this.#detach = () => {
      aborted[Symbol.dispose]()
      child.off('close', resolve).off('exit', exit)
    }
    void promise.then(this.#detach)
  }

  static async open(
    transport: Transport,
    script: string,
    args: readonly string[],
    options: SessionOptions,
  ): Promise<Session> {
    const marker = newMarker()
    const words = ['sh', '-c', script, marker, ...args] as const
    const { signal } = options
    const open = (attempt: number) => transport.open(words, signal, attempt)
    const child = await retryInJob(open, { signal, isTransient: isTransientFailure })
    return new Session(transport, child, marker, options)
  }

  /** A script with these arguments in a shell, which is free again after `detach`. */
  static inShell(
    shell: HostShell,
    transport: Transport,
    { script, args }: ShellCommand,
    options: SessionOptions,
  ): Session {
    const session = new Session(transport, shell.child, newMarker(), options)
    shell.start(script, [session.marker, ...args])
    return session
  }

  get stdin(): Writable {
    return this.#child.stdin
  }

  get stdout(): Readable {
    return this.#child.stdout
  }

  get stderr(): Readable {
    return this.#child.stderr
  }

  /** Positions these streams at the first output of the script; false when it ended before. */
  async waitForStart(...streams: Readable[]): Promise<{ found: boolean; noise: string }> {
    const limit = setTimeout(() => this.kill(), maxSlowStartMs)
    const timer = setInterval(() => this.#transport.isConnected || this.kill(), maxStartMs)
    // Node drains the streams of an exited process unless they have a reader: the output of one stream must not be lost
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

  /** After the result of a guard: nothing of the shell concerns this session any more, not even its end. */
  detach(): void {
    this.#detach()
  }

  /** Does not wait for a stream that another process keeps open. */
  closeSoon(withinMs = maxExitMs): void {
    this.#killAfter(withinMs)
  }

  kill(): void {
    this.#child.kill('SIGKILL')
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
