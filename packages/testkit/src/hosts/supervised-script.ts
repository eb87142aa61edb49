import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import type { Socket } from 'node:net'

const maxStartMs = 30_000

/**
 * A shell script that creates something and removes it once its standard input ends: on `stop`, and also when this
 * process is killed. Detached, so that Ctrl-C does not reach it before us.
 */
export class SupervisedScript {
  readonly #child: ChildProcess
  readonly #output: string[] = []

  private constructor(child: ChildProcess) {
    this.#child = child
  }

  /** Resolves when `isReady` accepts the script's output. */
  static async start(
    argv: readonly [string, ...string[]],
    isReady: (lines: string[]) => boolean,
  ): Promise<SupervisedScript> {
    const [program, ...args] = argv
    const child = spawn(program, args, { detached: true, stdio: 'pipe' })
    const supervised = new SupervisedScript(child)
    const errors: string[] = []
    child.stderr.setEncoding('utf8').on('data', (text: string) => errors.push(text))
    child.stdout.setEncoding('utf8').on('data', (text: string) => supervised.#output.push(text))
    const ended = new AbortController()
    const timer = setTimeout(() => child.stdin.end(), maxStartMs)
    child.once('error', (error) => ended.abort(error))
    child.once('close', () => ended.abort(new Error(`the test hosts did not start: ${errors.join('')}`)))
    try {
      while (!isReady(supervised.lines)) await once(child.stdout, 'data', { signal: ended.signal })
    } catch {
      throw ended.signal.reason
    } finally {
      clearTimeout(timer)
    }
    // a test that forgets its hosts still ends
    for (const handle of [child, child.stdin, child.stdout, child.stderr]) (handle as Socket).unref()
    return supervised
  }

  get lines(): string[] {
    return this.#output.join('').split('\n').slice(0, -1)
  }

  async stop(): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return
    this.#child.ref()
    const exited = once(this.#child, 'exit')
    this.#child.stdin?.end()
    await exited
  }
}
