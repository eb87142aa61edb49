import { spawn } from 'node:child_process'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { ApiError } from '@wharf/platform/api-error.ts'
import { sshArguments, sshEnvironment } from '@wharf/ssh/arguments.ts'
import { type SshCredential, writeCredential } from '@wharf/ssh/credential.ts'
import { lostConnection, sshExitCode, sshFailure, unusableShell } from '@wharf/ssh/failure.ts'
import { createPrivateFolder } from '@wharf/ssh/private-folder.ts'
import { checkedTarget, describeTarget, type SshTarget } from '@wharf/ssh/target.ts'
import { shellCommand } from './shell-words.ts'
import { SshConnection } from './ssh-connection.ts'
import { type HostProgram, type OpenOptions, startProgram, type Transport, type Words } from './transport.ts'

export interface SshSettings extends SshTarget, SshCredential {
  /** Replaces the configuration of the server's user; `none` for none. */
  readonly configFile?: string
}

interface Opened {
  readonly folder: string
  readonly connection: SshConnection
  /** ssh over the connection, with everything but the command. */
  readonly argv: readonly string[]
}

/** The system's ssh, with one connection for all programs: each is a channel of it. */
export class SshTransport implements Transport {
  readonly host: string
  readonly losesPackets = true
  readonly #settings: SshSettings
  readonly #environment = sshEnvironment(process.env)
  #opened: Promise<Opened> | undefined
  #connection: SshConnection | undefined

  constructor(settings: SshSettings) {
    this.#settings = checkedTarget(settings)
    this.host = describeTarget(settings)
  }

  get isConnected(): boolean {
    return this.#connection?.isConnected ?? false
  }

  async open(
    words: Words,
    signal: AbortSignal,
    { attempt = 0, carriesFile = false }: OpenOptions = {},
  ): Promise<HostProgram> {
    const command = shellCommand(words)
    this.#opened ??= this.#prepare().catch((error: unknown) => {
      // the disk may be full; the next caller tries again
      this.#opened = undefined
      throw error
    })
    const { connection, argv } = await this.#opened
    await connection.ready(signal, attempt)
    // an ssh of its own carries a large file faster than a channel does, but takes four times the CPU to start
    const channel = carriesFile ? undefined : await connection.open(command, signal, attempt)
    if (channel) return channel
    // ssh opens another connection automatically when the host allows no more programs on this one
    return await startProgram(spawn('ssh', [...argv, command], { env: this.#environment, detached: true }))
  }

  failure(stderr: string, hadStarted: boolean): ApiError {
    const { stderrTail: aboutConnection = '' } = this.#connection ?? {}
    if (hadStarted) return lostConnection(this.#settings, aboutConnection)
    return sshFailure(this.#settings, `${aboutConnection}\n${stderr}`, this.#settings.hostKey)
  }

  async close(): Promise<void> {
    const opened = await this.#opened?.catch(() => undefined)
    this.#opened = undefined
    await opened?.connection.close()
    if (opened) await rm(opened.folder, { recursive: true, force: true })
  }

  async #prepare(): Promise<Opened> {
    const folder = await createPrivateFolder()
    const controlPath = join(folder, 'c')
    const options = { ...(await writeCredential(folder, this.#settings)), ControlPath: controlPath }
    const argv = (more: Record<string, string>) => sshArguments({ ...this.#settings, options: { ...options, ...more } })
    this.#connection = new SshConnection({
      argv: argv({ ControlMaster: 'yes', LogLevel: 'INFO' }),
      controlPath,
      environment: this.#environment,
      failure: (stderr, exitCode) =>
        exitCode === null || exitCode === sshExitCode
          ? sshFailure(this.#settings, stderr, this.#settings.hostKey)
          : unusableShell(this.#settings, stderr),
      lost: (stderr) => lostConnection(this.#settings, stderr),
    })
    return { folder, connection: this.#connection, argv: argv({ ControlMaster: 'no', LogLevel: 'ERROR' }) }
  }
}
