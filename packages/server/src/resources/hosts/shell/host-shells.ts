import type { ChildProcessWithoutNullStreams } from 'node:child_process'
import type { Socket } from 'node:net'
import { guard } from './guard.ts'
import { quotedWords } from './shell-words.ts'
import type { Transport } from './transport.ts'

/** A shell without a command for this long is ended. */
const maxIdleMs = 10_000

/**
 *   sh -c shellScript sh GUARD NEWLINE
 *
 * Runs one guard after the other. Standard input carries, for each, a line with its arguments, quoted, in which "$2" is a
 * line feed. What follows is for the guard, until it has printed its result. The end of standard input ends the guard, as
 * always, and then the shell.
 */
const shellScript = `while IFS= read -r words; do eval "sh -c \\"\\$1\\" $words"; done`

/** A shell on a host, for one command at a time. */
export class HostShell {
  readonly child: ChildProcessWithoutNullStreams
  #commands = 0

  private constructor(child: ChildProcessWithoutNullStreams) {
    this.child = child
  }

  static async open(transport: Transport, signal: AbortSignal, attempt: number): Promise<HostShell> {
    return new HostShell(await transport.open(['sh', '-c', shellScript, 'sh', guard, '\n'], signal, attempt))
  }

  /** It has served a command before, and may have ended since without notice. */
  get isReused(): boolean {
    return this.#commands > 1
  }

  get isOpen(): boolean {
    return this.child.exitCode === null && this.child.signalCode === null && this.child.stdin.writable
  }

  /** Starts a guard with these arguments, the first of which is its marker. */
  start(args: readonly string[]): void {
    this.#commands++
    this.child.stdin.write(`${quotedWords(args).replaceAll('\n', `'"$2"'`)}\n`)
  }

  /** The shell does not keep this process running while it is idle. */
  setIdle(isIdle: boolean): void {
    const { stdin, stdout, stderr } = this.child
    for (const handle of [this.child, stdin, stdout, stderr] as unknown as Socket[])
      if (isIdle) handle.unref()
      else handle.ref()
  }
}

/** Keeps a shell of a host open between commands: starting ssh costs more than most commands do. */
export class HostShells {
  readonly #transport: Transport
  #idle: { readonly shell: HostShell; readonly timer: NodeJS.Timeout } | undefined

  constructor(transport: Transport) {
    this.#transport = transport
  }

  /** The idle shell, or another one while that one is in use. */
  async take(signal: AbortSignal, attempt: number): Promise<HostShell> {
    signal.throwIfAborted()
    const shell = this.#takeIdle()
    if (shell === undefined || !shell.isOpen) return HostShell.open(this.#transport, signal, attempt)
    shell.setIdle(false)
    return shell
  }

  /** After a command whose result has arrived. */
  giveBack(shell: HostShell): void {
    if (this.#idle !== undefined || !shell.isOpen) return void shell.child.stdin.end()
    shell.setIdle(true)
    this.#idle = { shell, timer: setTimeout(() => this.close(), maxIdleMs).unref() }
  }

  close(): void {
    this.#takeIdle()?.child.stdin.end()
  }

  #takeIdle(): HostShell | undefined {
    const { shell, timer } = this.#idle ?? {}
    clearTimeout(timer)
    this.#idle = undefined
    return shell
  }
}
