import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readCalls, type SeenCalls, straceArguments, type WatchedCalls } from './failing-calls.ts'

/** A thread of a running process under strace, until `detach`. */
export class WatchedThread {
  readonly #folder: string
  readonly #strace: ChildProcess
  #seen: Promise<SeenCalls> | undefined

  private constructor(folder: string, strace: ChildProcess) {
    this.#folder = folder
    this.#strace = strace
  }

  /** `withChildren`: also the other threads, and every process that they start. */
  static async attach(thread: number, watched: WatchedCalls, { withChildren = false } = {}): Promise<WatchedThread> {
    const folder = mkdtempSync(join(tmpdir(), 'wharf-calls-'))
    const [program = '', ...words] = straceArguments(watched, join(folder, 'calls'))
    const strace = spawn(program, [...(withChildren ? ['-f'] : []), ...words, '-p', `${thread}`], {
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    let output = ''
    await new Promise<void>((resolve, reject) => {
      strace.once('error', reject)
      strace.once('exit', () => reject(new Error(`strace did not attach to ${thread}: ${output}`)))
      strace.stderr.on('data', (chunk) => {
        output += chunk
        if (output.includes(' attached')) resolve()
      })
    })
    return new WatchedThread(folder, strace)
  }

  /** Returns the same calls when it is already detached. */
  detach(): Promise<SeenCalls> {
    this.#seen ??= this.#detach()
    return this.#seen
  }

  async #detach(): Promise<SeenCalls> {
    if (this.#strace.exitCode === null && this.#strace.signalCode === null) {
      const exited = once(this.#strace, 'exit')
      this.#strace.kill('SIGINT')
      await exited
    }
    const seen = readCalls(join(this.#folder, 'calls'))
    rmSync(this.#folder, { recursive: true })
    return seen
  }
}

/**
 * The threads of a server that write: its own, in which SQLite is, and the one that does its file work when it was started
 * with UV_THREADPOOL_SIZE=1.
 */
export function serverThreads(pid: number): { readonly main: number; readonly files: number } {
  const workers = readdirSync(`/proc/${pid}/task`).filter((thread) =>
    readFileSync(`/proc/${pid}/task/${thread}/comm`, 'utf8').startsWith('libuv-worker'),
  )
  const [files, another] = workers
  if (files === undefined || another !== undefined) throw new Error(`the process has ${workers.length} file threads`)
  return { main: pid, files: Number(files) }
}
