import type { Readable } from 'node:stream'
import { ApiError } from '@wharf/platform/api-error.ts'
import type {
  HostDriver,
  HostFacts,
  HostMeasurement,
  PathInspection,
  PutOptions,
  RunOptions,
  RunResult,
  Usage,
} from '../driver.ts'
import { readUsage, usageScript } from './disk-usage.ts'
import { factsScript, readFacts } from './facts.ts'
import { fileFailure } from './file-failure.ts'
import { getFile } from './get-file.ts'
import { guardedRun } from './guarded-run.ts'
import { hostPath } from './host-path.ts'
import { endHooks } from './lost-hook.ts'
import { measurementScript, readMeasurement } from './measurement.ts'
import { notFolderExitCode, pathInspectionScript, readPathInspection } from './path-inspection.ts'
import { putFile } from './put-file.ts'
import type { Transport, Words } from './transport.ts'

/** Our scripts print less; further lines are dropped. */
const maxOutputLines = 1000

interface ScriptOutput {
  readonly exitCode: number
  readonly lines: readonly string[]
  readonly stderr: string
}

/** Implements the driver with small POSIX scripts; arguments are never part of a script's text. */
export class ShellHost implements HostDriver {
  readonly #transport: Transport

  constructor(transport: Transport) {
    this.#transport = transport
  }

  get isConnected(): boolean {
    return this.#transport.isConnected
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
    const { exitCode, lines, stderr } = await this.#runScript(usageScript, path === '/' ? path : hostPath(path), signal)
    const usage = exitCode === 0 ? readUsage(lines) : undefined
    if (usage === undefined) throw fileFailure(this.#transport.host, 'measure', path, stderr || lines.join('\n'))
    return usage
  }

  async inspectPath(path: string, { signal }: PutOptions): Promise<PathInspection> {
    const { exitCode, lines, stderr } = await this.#runScript(pathInspectionScript, hostPath(path), signal)
    if (exitCode === notFolderExitCode)
      throw new ApiError('SoftwarePackage.1131', `the installPath ${path} leads through something that is not a folder`)
    const inspection = exitCode === 0 ? readPathInspection(lines) : undefined
    if (inspection === undefined) throw fileFailure(this.#transport.host, 'inspect', path, stderr || lines.join('\n'))
    return inspection
  }

  async facts({ signal }: PutOptions): Promise<HostFacts> {
    const { lines } = await this.#runScript(factsScript, '', signal)
    return readFacts(lines)
  }

  async measure(packagesPath: string | null, { signal }: PutOptions): Promise<HostMeasurement> {
    const { lines, stderr } = await this.#runScript(measurementScript, packagesPath ?? '', signal)
    const measurement = readMeasurement(lines)
    if (measurement === undefined) throw fileFailure(this.#transport.host, 'measure', '/', stderr || lines.join('\n'))
    return measurement
  }

  async remove(path: string, { signal }: PutOptions): Promise<void> {
    const { exitCode, stderr } = await this.#runScript('LC_ALL=C rm -rf "$1"', hostPath(path), signal)
    if (exitCode !== 0) throw fileFailure(this.#transport.host, 'remove', path, stderr)
  }

  async ping({ signal }: PutOptions): Promise<void> {
    const { exitCode } = await this.#runScript(':', '', signal)
    if (exitCode !== 0) throw new ApiError('HOST.1003', `${this.#transport.host} cannot run programs`)
  }

  close(): Promise<void> {
    return this.#transport.close()
  }

  async #runScript(script: string, argument: string, signal: AbortSignal): Promise<ScriptOutput> {
    const lines: string[] = []
    const errors: string[] = []
    const { exitCode } = await this.run(['sh', '-c', script, 'wharf', argument], {
      signal,
      onLine: (line, stream) => {
        const list = stream === 'stdout' ? lines : errors
        if (list.length < maxOutputLines) list.push(line)
      },
    })
    return { exitCode, lines, stderr: errors.join('\n') }
  }
}
