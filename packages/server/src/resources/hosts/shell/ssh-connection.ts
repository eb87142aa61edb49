import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { once } from 'node:events'
import type { Socket } from 'node:net'
import { untilAborted } from '@wharf/platform/abort.ts'
import type { ApiError } from '@wharf/platform/api-error.ts'
import { type ConnectTimeouts, connectTimeouts } from '@wharf/ssh/connect-timeouts.ts'
import { streamTail } from '@wharf/ssh/stream-tail.ts'
import { waitUntilSpawned } from '@wharf/ssh/wait-until-spawned.ts'
import { newMarker, skipToStart } from './marker.ts'
import { shellCommand } from './shell-words.ts'

const maxCloseMs = 1000

/**
 * Runs on the host while the connection is open. It has two lines to detect csh, which runs the second as a separate
 * command in spite of the quotes, and must never get the commands that follow.
 */
const stayConnected = `printf '\\n%s\\n' "$0"
exec cat >/dev/null`

export interface ConnectionSettings {
  /** ssh with everything but the command, as master of a control socket. */
  readonly argv: readonly string[]
  readonly environment: NodeJS.ProcessEnv
  /** An exit code that ssh itself does not use is the login shell's. */
  readonly failure: (stderr: string, exitCode: number | null) => ApiError
}

/**
 * The one connection to a host, which all programs share. Its process ends when its standard input is closed, so a killed
 * server leaves none behind, and the end of the process reports a lost connection at once.
 */
export class SshConnection {
  readonly #settings: ConnectionSettings
  #attempt: Promise<void> | undefined
  #child: ChildProcessWithoutNullStreams | undefined
  #isConnected = false
  #stderrTail: () => string = () => ''

  constructor(settings: ConnectionSettings) {
    this.#settings = settings
  }

  /** Returns when the host is ready for commands; concurrent callers share one attempt. */
  async ready(signal: AbortSignal, attempt: number): Promise<void> {
    signal.throwIfAborted()
    this.#attempt ??= this.#connect(connectTimeouts(attempt))
    await untilAborted(signal, this.#attempt)
  }

  /** ssh probes the host every 3 s, and ends when it does not answer. */
  get isConnected(): boolean {
    return this.#isConnected
  }

  /** The end of what ssh printed about this connection. */
  get stderrTail(): string {
    return this.#stderrTail()
  }

  async close(): Promise<void> {
    const child = this.#child
    if (child === undefined) return
    child.ref()
    const closed = once(child, 'close')
    child.stdin.end()
    // an unreachable host does not confirm the end, and one that never connected need not
    const timer = setTimeout(() => child.kill('SIGKILL'), this.#isConnected ? maxCloseMs : 0)
    await closed
    clearTimeout(timer)
  }

  async #connect({ greetingSeconds, readyMs }: ConnectTimeouts): Promise<void> {
    const { argv, environment, failure } = this.#settings
    const marker = newMarker()
    const command = shellCommand(['sh', '-c', stayConnected, marker])
    try {
      const child = await waitUntilSpawned(
        spawn('ssh', ['-o', `ConnectTimeout=${greetingSeconds}`, ...argv, command], {
          env: environment,
          detached: true,
        }),
      )
      const stderr = streamTail(child.stderr)
      this.#stderrTail = stderr
      this.#child = child
      const closed = once(child, 'close')
      child.once('close', () => this.#forget())
      const timer = setTimeout(() => child.kill('SIGKILL'), readyMs)
      const { found, noise } = await skipToStart(child.stdout, marker)
      clearTimeout(timer)
      if (found) return this.#keepOpen(child)
      await closed
      throw failure(`${stderr()}\n${noise}`, child.exitCode)
    } catch (error) {
      this.#forget()
      throw error
    }
  }

  /** An idle connection does not keep the process running. */
  #keepOpen(child: ChildProcessWithoutNullStreams): void {
    this.#isConnected = true
    child.stdout.resume()
    for (const handle of [child, child.stdin, child.stdout, child.stderr]) (handle as unknown as Socket).unref()
  }

  /** The next caller connects again. */
  #forget(): void {
    this.#attempt = undefined
    this.#child = undefined
    this.#isConnected = false
  }
}
