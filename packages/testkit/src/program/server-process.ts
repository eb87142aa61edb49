import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as delay } from 'node:timers/promises'
import type { BootstrapFile } from '@wharf/server/composition/bootstrap.ts'
import { Client } from '../calls/client.ts'
import { keepServerKey } from '../server/seeded-data.ts'
import { serverProgram } from './programs.ts'

export interface Ended {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

/**
 * Of this process's environment, all that a server under test gets. It looks for no hosts around this machine.
 */
const { PATH, HOME, NODE_COMPILE_CACHE, TEST_PROGRAMS } = process.env
const inherited = { PATH, HOME, NODE_COMPILE_CACHE, WHARF_DISCOVERY: 'none' }

/** Of a machine that is busy with other things too; on a quiet one it is a second. */
const maxStartMs = 60_000

/** As `bin/wharf-server` does; in a test run, memory for all that a start creates: without a collection it takes less CPU time. */
const heapOptions =
  TEST_PROGRAMS === undefined ? ['--min-semi-space-size=2'] : ['--min-semi-space-size=32', '--max-semi-space-size=64']

/** Runs the program with these arguments to its end; `wrapper` is the command line of a program that it runs under. */
export async function runServerProgram(
  environment: Record<string, string>,
  args: readonly string[] = [],
  timeoutMs = maxStartMs,
  wrapper: readonly string[] = [],
): Promise<Ended> {
  const [program = '', ...commandArgs] = [...wrapper, process.execPath, serverProgram, ...args]
  const child = spawn(program, commandArgs, {
    env: { ...inherited, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: timeoutMs,
    killSignal: 'SIGKILL',
  })
  const [[code], stdout, stderr] = await Promise.all([once(child, 'close'), text(child.stdout), text(child.stderr)])
  return { code, stdout, stderr }
}

/** A server in a process of its own, for tests that kill it. */
export class ServerProcess {
  readonly environment: Record<string, string>
  readonly #program: string
  readonly #wrapper: readonly string[]
  #child: ChildProcess | undefined
  stdout = ''
  stderr = ''

  /** `wrapper`: the command line of a program that becomes the server, so that signals reach the server itself. */
  constructor(environment: Record<string, string>, program = serverProgram, wrapper: readonly string[] = []) {
    this.environment = environment
    this.#program = program
    this.#wrapper = wrapper
  }

  get pid(): number {
    return this.#child?.pid ?? 0
  }

  get bootstrap(): Required<BootstrapFile> {
    return JSON.parse(readFileSync(this.#bootstrapPath, 'utf8'))
  }

  get #bootstrapPath(): string {
    return join(this.environment.WHARF_DATA ?? '', 'bootstrap.json')
  }

  get admin(): Client {
    const { url, accessKeyId: id, accessKeySecret: secret } = this.bootstrap
    return new Client(url, { kind: 'key', id, secret })
  }

  /** The admin of another node on the same database, calling this one. */
  adminOf(other: ServerProcess): Client {
    return new Client(this.bootstrap.url, other.admin.credential)
  }

  /** Without a credential. */
  get anonymous(): Client {
    return new Client(this.bootstrap.url, { kind: 'none' })
  }

  /** Resolves when the server reports that it is ready; returns the milliseconds that took. */
  async start(timeoutMs = maxStartMs): Promise<number> {
    const began = performance.now()
    const [command = '', ...args] = [...this.#wrapper, process.execPath, ...heapOptions, this.#program]
    const child = spawn(command, args, {
      env: { ...inherited, ...this.environment },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    this.#child = child
    this.stdout = ''
    child.stdout.on('data', (chunk) => {
      this.stdout += chunk
    })
    child.stderr.on('data', (chunk) => {
      this.stderr += chunk
    })
    while (!this.stdout.includes('is ready at')) {
      const hasEnded = child.exitCode !== null || child.signalCode !== null
      if (hasEnded || performance.now() - began > timeoutMs) throw new Error(`the server did not start: ${this.stderr}`)
      await delay(5)
    }
    const ms = performance.now() - began
    keepServerKey(this.environment.WHARF_DATA ?? '')
    return ms
  }

  /** kill -9. */
  async kill(): Promise<void> {
    await this.#signal('SIGKILL')
  }

  /** Its exit code after SIGTERM. */
  async stop(): Promise<number | null> {
    return this.#signal('SIGTERM')
  }

  /** Resolves when the process has exited. */
  async ended(timeoutMs = 10_000): Promise<void> {
    const child = this.#child
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return
    await once(child, 'exit', { signal: AbortSignal.timeout(timeoutMs) })
  }

  async #signal(signal: NodeJS.Signals): Promise<number | null> {
    this.send(signal)
    return this.exitCode()
  }

  send(signal: NodeJS.Signals): void {
    this.#child?.kill(signal)
  }

  /** Once it has ended; null when a signal ended it. */
  async exitCode(): Promise<number | null> {
    const child = this.#child
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return child?.exitCode ?? null
    const [code] = await once(child, 'exit')
    return code
  }

  get bootstrapMode(): number | undefined {
    return existsSync(this.#bootstrapPath) ? statSync(this.#bootstrapPath).mode & 0o777 : undefined
  }
}
