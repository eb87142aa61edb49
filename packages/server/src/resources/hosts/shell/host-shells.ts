import type { ChildProcessWithoutNullStreams } from 'node:child_process'
import type { Socket } from 'node:net'
import { guard } from './guard.ts'
import { putScript } from './put-script.ts'
import { quotedWords } from './shell-words.ts'
import type { Transport } from './transport.ts'

/** A shell without a command for this long is ended. */
const maxIdleMs = 10_000

/**
 *   sh -c shellScript sh NEWLINE GUARD PUT
 *
 * Runs one script after the other. Standard input carries, for each, a line with the script, as "$2" or "$3", and its
 * arguments, quoted, in which "$1" is a line feed. What follows is for the script, until it has printed its result. The end
 * of standard input ends the script, as always, and then the shell. So does a script that fails: what it has not read of
 * its input must not be taken for a command.
 */
const shellScript = `while IFS= read -r words; do eval "sh -c $words" || exit; done`
const shellArguments = ['\n', guard, putScript]
const scripts = { guard: '"$2"', put: '"$3"' } as const

/** What a shell can run. */
export type ShellScript = keyof typeof scripts

/** A shell on a host, for one command at a time. */
export class HostShell {
  readonly child: ChildProcessWithoutNullStreams
  #commands = 0

  private constructor(child: ChildProcessWithoutNullStreams) {
    this.child = child
  }

  static async open(transport: Transport, signal: AbortSignal, attempt: number): Promise<HostShell> {
    return new HostShell(await transport.open(['sh', '-c', shellScript, 'sh', ...shellArguments], signal, attempt))
  }

  /** It has served a command before, and may have ended since without notice. */
  get isReused(): boolean {
    return this.#commands > 1
  }

  get isOpen(): boolean {
    return this.child.exitCode === null && this.child.signalCode === null && this.child.stdin.writable
  }

  /** Starts a script with these arguments, the first of which is its marker. */
  start(script: ShellScript, args: readonly string[]): void {
    this.#commands++
    this.child.stdin.write(`${scripts[script]} ${quotedWords(args).replaceAll('\n', `'"$1"'`)}\n`)
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
  async acquire(signal: AbortSignal, attempt: number): Promise<HostShell> {
    signal.throwIfAborted()
    const shell = this.#takeIdle()
    if (shell === undefined || !shell.isOpen) return HostShell.open(this.#transport, signal, attempt)
    shell.setIdle(false)
    return shell
  }

  /** After a command whose result has arrived. */
  release(shell: HostShell): void {
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
