import type { Readable } from 'node:stream'
import { ApiError } from '@wharf/platform/api-error.ts'
import type { HostDriver, HostFacts, PutOptions, RunOptions, RunResult, Usage } from '../driver.ts'
import { readUsage, usageScript } from './disk-usage.ts'
import { factsScript, readFacts } from './facts.ts'
import { fileFailure } from './file-failure.ts'
import { getFile } from './get-file.ts'
import { guardedRun } from './guarded-run.ts'
import { hostPath } from './host-path.ts'
import { putFile } from './put-file.ts'
import { endHooks } from './settle.ts'
import type { Transport, Words } from './transport.ts'

/** Our scripts say little; a host that says more is not listened to. */
const maxAnswerLines = 1000

interface HostAnswer {
  readonly exitCode: number
  readonly lines: readonly string[]
  readonly said: string
}

/** Everything that Wharf does to a host, by small POSIX scripts whose arguments are arguments, never a part of them. */
export class ShellHost implements HostDriver {
  readonly #transport: Transport

  constructor(transport: Transport) {
    this.#transport = transport
  }

  get isConnected(): boolean {
    return this.#transport.isStanding
  }

  run(argv: Words, options: RunOptions): Promise<RunResult> {
    return guardedRun(this.#transport, argv, options)
  }

  endHooks(subject: string, { signal }: PutOptions): Promise<void> {
    return endHooks(this.#transport, subject, signal)
  }

  put(bytes: Readable, path: string, options: PutOptions): Promise<void> {
    return putFile(this.#transport, bytes, path, options)
  }

  get(path: string, { signal }: PutOptions): Readable {
    return getFile(this.#transport, path, signal)
  }

  async usage(path: string, { signal }: PutOptions): Promise<Usage> {
    const { exitCode, lines, said } = await this.#ask(usageScript, path === '/' ? path : hostPath(path), signal)
    const usage = exitCode === 0 ? readUsage(lines) : undefined
    if (usage === undefined) throw fileFailure(this.#transport.host, 'measure', path, said || lines.join('\n'))
    return usage
  }

  async facts({ signal }: PutOptions): Promise<HostFacts> {
    const { lines } = await this.#ask(factsScript, '', signal)
    return readFacts(lines)
  }

  async remove(path: string, { signal }: PutOptions): Promise<void> {
    const { exitCode, said } = await this.#ask('LC_ALL=C rm -rf "$1"', hostPath(path), signal)
    if (exitCode !== 0) throw fileFailure(this.#transport.host, 'remove', path, said)
  }

  async ping({ signal }: PutOptions): Promise<void> {
    const { exitCode } = await this.#ask(':', '', signal)
    if (exitCode !== 0) throw new ApiError('HOST.1003', `${this.#transport.host} cannot run programs`)
  }

  close(): Promise<void> {
    return this.#transport.close()
  }

  async #ask(script: string, argument: string, signal: AbortSignal): Promise<HostAnswer> {
    const lines: string[] = []
    const errors: string[] = []
    const { exitCode } = await this.run(['sh', '-c', script, 'wharf', argument], {
      signal,
      onLine: (line, stream) => {
        const list = stream === 'stdout' ? lines : errors
        if (list.length < maxAnswerLines) list.push(line)
      },
    })
    return { exitCode, lines, said: errors.join('\n') }
  }
}
