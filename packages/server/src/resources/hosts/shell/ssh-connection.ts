import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { once } from 'node:events'
import type { Socket } from 'node:net'
import { untilAborted } from '@wharf/platform/abort.ts'
import type { ApiError } from '@wharf/platform/api-error.ts'
import { type ConnectTimeouts, connectTimeouts } from '@wharf/ssh/connect-timeouts.ts'
import { streamTail } from '@wharf/ssh/stream-tail.ts'
import { waitUntilSpawned } from '@wharf/ssh/wait-until-spawned.ts'
import { newMarker, skipToBeginning } from './marker.ts'
import { shellCommand } from './shell-words.ts'

const maxCloseMs = 1000

/**
 * On the host, as long as there is someone at the other end. It has two lines to be sure of the login shell: csh takes
 * the second for a command of its own, whatever the quotes say, and must never see what we run later.
 */
const stayConnected = `printf '\\n%s\\n' "$0"
exec cat >/dev/null`

export interface ConnectionParts {
  /** ssh with everything but the command, as master of a control socket. */
  readonly argv: readonly string[]
  readonly environment: NodeJS.ProcessEnv
  /** An exit code other than that of ssh itself is the login shell's. */
  readonly failure: (said: string, exitCode: number | null) => ApiError
}

/**
 * The one connection to a host, which all programs there share. Its process lives as long as its standard input, which
 * we hold: a server that is killed leaves none behind, and the end of the process tells at once of a lost connection.
 */
export class SshConnection {
  readonly #parts: ConnectionParts
  #attempt: Promise<void> | undefined
  #child: ChildProcessWithoutNullStreams | undefined
  #isStanding = false
  #said: () => string = () => ''

  constructor(parts: ConnectionParts) {
    this.#parts = parts
  }

  /** Ends when the host is ready for commands; all who ask meanwhile wait for the same attempt. */
  async ready(signal: AbortSignal, attempt: number): Promise<void> {
    signal.throwIfAborted()
    this.#attempt ??= this.#connect(connectTimeouts(attempt))
    await untilAborted(signal, this.#attempt)
  }

  /** ssh asks the host every 3 s whether it is still there, and ends when it is not. */
  get isStanding(): boolean {
    return this.#isStanding
  }

  /** The last words of ssh about this connection. */
  get said(): string {
    return this.#said()
  }

  async close(): Promise<void> {
    const child = this.#child
    if (child === undefined) return
    child.ref()
    const closed = once(child, 'close')
    child.stdin.end()
    // a host that is away does not answer the goodbye, and one that was not yet there needs none
    const timer = setTimeout(() => child.kill('SIGKILL'), this.#isStanding ? maxCloseMs : 0)
    await closed
    clearTimeout(timer)
  }

  async #connect({ greetingSeconds, readyMs }: ConnectTimeouts): Promise<void> {
    const { argv, environment, failure } = this.#parts
    const marker = newMarker()
    const command = shellCommand(['sh', '-c', stayConnected, marker])
    try {
      const child = await waitUntilSpawned(
        spawn('ssh', ['-o', `ConnectTimeout=${greetingSeconds}`, ...argv, command], {
          env: environment,
          detached: true,
        }),
      )
      const said = streamTail(child.stderr)
      this.#said = said
      this.#child = child
      const closed = once(child, 'close')
      child.once('close', () => this.#forget())
      const timer = setTimeout(() => child.kill('SIGKILL'), readyMs)
      const { found, noise } = await skipToBeginning(child.stdout, marker)
      clearTimeout(timer)
      if (found) return this.#stand(child)
      await closed
      throw failure(`${said()}\n${noise}`, child.exitCode)
    } catch (error) {
      this.#forget()
      throw error
    }
  }

  /** It says nothing more, and a server that wants to end need not wait for it. */
  #stand(child: ChildProcessWithoutNullStreams): void {
    this.#isStanding = true
    child.stdout.resume()
    for (const handle of [child, child.stdin, child.stdout, child.stderr]) (handle as unknown as Socket).unref()
  }

  /** Whoever asks next tries again. */
  #forget(): void {
    this.#attempt = undefined
    this.#child = undefined
    this.#isStanding = false
  }
}
