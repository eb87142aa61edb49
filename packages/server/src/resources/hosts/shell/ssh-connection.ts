import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { once } from 'node:events'
import { rm } from 'node:fs/promises'
import type { Socket } from 'node:net'
import { Deadline, untilAborted, waitAtMost } from '@wharf/platform/abort.ts'
import { ApiError } from '@wharf/platform/api-error.ts'
import { reasonOf } from '@wharf/platform/operator-error.ts'
import type { Channel } from '@wharf/ssh/channel.ts'
import { Channels } from '@wharf/ssh/channels.ts'
import { type ConnectTimeouts, connectTimeouts } from '@wharf/ssh/connect-timeouts.ts'
import { streamTail } from '@wharf/ssh/stream-tail.ts'
import { waitUntilSpawned } from '@wharf/ssh/wait-until-spawned.ts'
import { newMarker, skipToStart } from './marker.ts'
import { shellCommand } from './shell-words.ts'

const maxCloseMs = 1000
/** A host that is down is reported within 15 s, of which its silence takes most. */
const maxReconnectMs = 2000
/** A host that answers, but starts no program for so long, is not going to. */
const maxOpenMs = 60_000

/**
 * Runs on the host while the connection is open. It has two lines to detect csh, which runs the second as a separate
 * command in spite of the quotes, and must never get the commands that follow.
 */
const stayConnected = `printf '\\n%s\\n' "$0"
exec cat >/dev/null`

export interface ConnectionSettings {
  /** ssh with everything but the command, as master of a control socket. */
  readonly argv: readonly string[]
  readonly controlPath: string
  readonly environment: NodeJS.ProcessEnv
  /** An exit code that ssh itself does not use is the login shell's. */
  readonly failure: (stderr: string, exitCode: number | null) => ApiError
  /** Of a connection that was established. */
  readonly lost: (stderr: string) => ApiError
}

/**
 * The one connection to a host, which all programs share. Its process ends when its standard input is closed, so a killed
 * server leaves none behind, and the end of the process reports a lost connection at once.
 */
export class SshConnection {
  readonly #settings: ConnectionSettings
  #attempt: Promise<void> | undefined
  #child: ChildProcessWithoutNullStreams | undefined
  #channels: Channels | undefined
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

  /**
   * Starts a command of the login shell, once `ready`; undefined when the host allows no further program on the connection.
   * When the connection ends before, nothing has started: a host that answers gets another connection.
   */
  async open(command: string, signal: AbortSignal, attempt: number): Promise<Channel | undefined> {
    const channels = this.#channels
    try {
      return await this.#open(command, signal)
    } catch (error) {
      if (signal.aborted || this.#channels === channels) throw error
      const soon = AbortSignal.any([signal, AbortSignal.timeout(maxReconnectMs)])
      await this.ready(soon, attempt).catch(() => {
        throw error
      })
      return await this.#open(command, signal)
    }
  }

  async #open(command: string, signal: AbortSignal): Promise<Channel | undefined> {
    const { lost } = this.#settings
    if (this.#channels === undefined) throw lost(this.#stderrTail())
    using deadline = new Deadline(signal, maxOpenMs, lost(`it has started no program for ${maxOpenMs / 1000} s`))
    return await this.#channels.open(command, deadline.signal)
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
    this.#channels?.close(this.#settings.lost(this.#stderrTail()))
    const closed = once(child, 'close')
    child.stdin.end()
    // an unreachable host does not confirm the end, and one that never connected need not
    const timer = setTimeout(() => child.kill('SIGKILL'), this.#isConnected ? maxCloseMs : 0)
    await closed
    clearTimeout(timer)
  }

  async #connect({ greetingSeconds, readyMs }: ConnectTimeouts): Promise<void> {
    const { argv, controlPath, environment, failure } = this.#settings
    const marker = newMarker()
    const command = shellCommand(['sh', '-c', stayConnected, marker])
    try {
      // of an ssh that was killed; the next one would accept no programs
      await rm(controlPath, { force: true })
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
      child.once('close', () => this.#forget(child))
      const timer = setTimeout(() => child.kill('SIGKILL'), readyMs)
      const { found, noise } = await skipToStart(child.stdout, marker)
      if (found) this.#keepOpen(child, await Channels.connect(controlPath), closed)
      clearTimeout(timer)
      if (found) return
      await closed
      throw failure(`${stderr()}\n${noise}`, child.exitCode)
    } catch (error) {
      this.#child?.kill('SIGKILL')
      this.#forget(this.#child)
      throw error instanceof ApiError ? error : failure(`${this.#stderrTail()}\n${reasonOf(error)}`, null)
    }
  }

  /** An idle connection does not keep the process running. */
  #keepOpen(child: ChildProcessWithoutNullStreams, channels: Channels, closed: Promise<unknown>): void {
    this.#isConnected = true
    this.#channels = channels
    // no output follows; each connection has one descriptor less
    child.stdout.destroy()
    for (const handle of [child, child.stdin, child.stderr]) (handle as unknown as Socket).unref()
    void channels.closed.then(async (reason) => {
      // what ssh prints at its end is the reason
      await waitAtMost(maxCloseMs, closed)
      child.kill('SIGKILL')
      channels.close(this.#settings.lost(`${this.#stderrTail()}\n${reason}`))
      this.#forget(child)
    })
  }

  /** The next caller connects again. */
  #forget(child: ChildProcessWithoutNullStreams | undefined): void {
    if (this.#child !== child) return
    this.#attempt = undefined
    this.#child = undefined
    this.#channels = undefined
    this.#isConnected = false
  }
}
