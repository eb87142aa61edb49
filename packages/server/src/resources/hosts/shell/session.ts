import type { ChildProcessWithoutNullStreams } from 'node:child_process'
import type { Readable, Writable } from 'node:stream'
import { onAbort } from '@wharf/platform/abort.ts'
import { ApiError } from '@wharf/platform/api-error.ts'
import { sshExitCode } from '@wharf/ssh/failure.ts'
import { newMarker, skipToBeginning } from './marker.ts'
import { openWithRetries } from './open-with-retries.ts'
import type { Transport } from './transport.ts'

/** A host that has not even begun by then has gone silent, unless its connection shows that it is only slow. */
const maxBeginMs = 14_000
const maxSlowBeginMs = 60_000
/** The guard needs two seconds for the stubborn; whatever is longer silent has no connection any more. */
const maxStopMs = 4000
/** Something that the program left behind may hold the streams open. */
const maxCloseMs = 1000
/** After its last line a script has nothing to do but to exit. */
const maxExitMs = 200

interface SessionOptions {
  readonly signal: AbortSignal
  /** How long a script that is told to stop, by the end of its standard input, may take for that. */
  readonly stopMs?: number
}

/** A shell script on a host, from its marked beginning to its end. */
export class Session {
  readonly marker: string
  readonly #child: ChildProcessWithoutNullStreams
  readonly #transport: Transport
  /** Once the process has ended and its streams with it: the exit code, or null when it was killed. */
  readonly ended: Promise<number | null>
  #hasBegun = false

  private constructor(transport: Transport, child: ChildProcessWithoutNullStreams, marker: string) {
    this.#transport = transport
    this.#child = child
    this.marker = marker
    this.ended = new Promise((resolve) => {
      child.once('close', resolve)
      child.once('exit', (code) => setTimeout(() => resolve(code), maxCloseMs).unref())
    })
  }

  static async open(
    transport: Transport,
    script: string,
    args: readonly string[],
    { signal, stopMs = maxStopMs }: SessionOptions,
  ): Promise<Session> {
    const marker = newMarker()
    const child = await openWithRetries(transport, ['sh', '-c', script, marker, ...args], signal)
    const session = new Session(transport, child, marker)
    const listening = onAbort(signal, () => {
      session.stdin.destroy()
      session.#killAfter(stopMs)
    })
    void session.ended.then(() => listening[Symbol.dispose]())
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

  /** Leaves these streams where the script begins to speak; false when it ended before. */
  async begins(...streams: Readable[]): Promise<{ found: boolean; noise: string }> {
    const giveUp = setTimeout(() => this.kill(), maxSlowBeginMs)
    const timer = setInterval(() => this.#transport.isStanding || this.kill(), maxBeginMs)
    // a process that exits has its streams drained by Node unless someone reads them: what follows the beginning of one
    // must not be lost while that of the other is still on its way
    const hold = (): void => {}
    for (const stream of streams) stream.on('readable', hold)
    try {
      const skipped = await Promise.all(streams.map((stream) => skipToBeginning(stream, this.marker)))
      this.#hasBegun = skipped.every(({ found }) => found)
      return { found: this.#hasBegun, noise: skipped.map(({ noise }) => noise).join('\n') }
    } finally {
      clearInterval(timer)
      clearTimeout(giveUp)
      for (const stream of streams) stream.off('readable', hold)
    }
  }

  /** All is said; a connection that something else keeps open is not waited for. */
  letGo(withinMs = maxExitMs): void {
    this.#killAfter(withinMs)
  }

  kill(): void {
    this.#child.kill('SIGKILL')
  }

  /** Why there was no proper end. */
  failure(exitCode: number | null, said: string): ApiError {
    if (exitCode === null || exitCode === sshExitCode) return this.#transport.failure(said, this.#hasBegun)
    const words = said.trim().slice(-500)
    return new ApiError('SYS.1016', `${this.#transport.host} cannot run sh (exit code ${exitCode}): ${words}`)
  }

  #killAfter(ms: number): void {
    const timer = setTimeout(() => this.kill(), ms)
    void this.ended.then(() => clearTimeout(timer))
  }
}
