import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { once } from 'node:events'
import { rm } from 'node:fs/promises'
import type { Socket } from 'node:net'
import { untilAborted } from '@wharf/platform/abort.ts'
import { ApiError } from '@wharf/platform/api-error.ts'
import { sshArguments, sshEnvironment } from '@wharf/ssh/arguments.ts'
import { layCredential, type SshCredential } from '@wharf/ssh/credential.ts'
import { isTransientFailure, lostConnection, sshFailure } from '@wharf/ssh/failure.ts'
import { lastBytes } from '@wharf/ssh/last-bytes.ts'
import { type Patience, patienceOf } from '@wharf/ssh/patience.ts'
import { privateFolder } from '@wharf/ssh/private-runtime.ts'
import { spawned } from '@wharf/ssh/spawned.ts'
import { checkedTarget, type SshTarget } from '@wharf/ssh/target.ts'
import { SftpSession } from './sftp-session.ts'

const maxCloseMs = 1000

/** Repeats an attempt that failed for a transient reason. */
type Retry = <T>(
  attempt: (number: number) => Promise<T>,
  options: { readonly signal: AbortSignal; readonly isTransient: (error: unknown) => boolean },
) => Promise<T>

export interface SftpSettings extends SshTarget, SshCredential {
  /** What messages call the storage. */
  readonly storage: string
  /** Instead of the configuration of the server's user; `none` for none. */
  readonly configFile?: string
}

/**
 * One ssh with the subsystem sftp, for all that is done on a storage. No command runs there, so that an account is
 * enough that may do nothing else. It ends with our end of its standard input: a server that is killed leaves none.
 */
export class SftpConnection {
  readonly #settings: SftpSettings
  readonly #retry: Retry
  #attempt: Promise<Open> | undefined

  constructor(settings: SftpSettings, retry: Retry) {
    this.#settings = checkedTarget(settings)
    this.#retry = retry
  }

  /** All who ask meanwhile wait for the same attempt; whoever asks after a loss makes another. */
  async session(signal: AbortSignal): Promise<SftpSession> {
    const open = async (attempt: number): Promise<Open> => {
      signal.throwIfAborted()
      this.#attempt ??= this.#open(patienceOf(attempt))
      return untilAborted(signal, this.#attempt)
    }
    return (await this.#retry(open, { signal, isTransient: isTransientFailure })).session
  }

  async close(): Promise<void> {
    const attempt = this.#attempt
    // whoever asks from now on must not get what is being closed
    this.#attempt = undefined
    const open = await attempt?.catch(() => undefined)
    if (open === undefined || open.child.exitCode !== null || open.child.signalCode !== null) return
    open.child.ref()
    const exited = once(open.child, 'exit')
    open.child.stdin.end()
    // a host that is away does not answer the goodbye
    const timer = setTimeout(() => open.child.kill('SIGKILL'), maxCloseMs)
    await exited
    clearTimeout(timer)
  }

  #open(patience: Patience): Promise<Open> {
    const attempt = this.#connect(patience, () => {
      if (this.#attempt === attempt) this.#attempt = undefined
    })
    return attempt
  }

  async #connect({ greetingSeconds, readyMs }: Patience, forget: () => void): Promise<Open> {
    const folder = await privateFolder()
    try {
      const argv = await this.#arguments(folder, greetingSeconds)
      const options = { env: sshEnvironment(process.env), detached: true }
      const child = await spawned(spawn('ssh', argv, options))
      return { child, session: await this.#begin(child, readyMs, forget) }
    } catch (error) {
      forget()
      throw error
    } finally {
      // ssh has read the key, or it never will
      await rm(folder, { recursive: true, force: true })
    }
  }

  async #begin(child: ChildProcessWithoutNullStreams, readyMs: number, forget: () => void): Promise<SftpSession> {
    const { storage, hostKey } = this.#settings
    const said = lastBytes(child.stderr)
    const timer = setTimeout(() => child.kill('SIGKILL'), readyMs)
    const session = new SftpSession(child.stdin, child.stdout, (isBusy) => hold(child, isBusy))
    let hasBegun = false
    child.once('close', () => {
      forget()
      const failure = hasBegun
        ? new ApiError('BS.1500', `${storage} broke off`, { cause: lostConnection(this.#settings, said()) })
        : unreachable(storage, sshFailure(this.#settings, said(), hostKey))
      session.end(failure)
    })
    try {
      await session.begin()
      hasBegun = true
      return session
    } catch (error) {
      child.kill('SIGKILL')
      if (error instanceof ApiError) throw error
      throw new ApiError('BS.1500', `${storage} does not speak SFTP: ${(error as Error).message}`)
    } finally {
      clearTimeout(timer)
    }
  }

  async #arguments(folder: string, greetingSeconds: number): Promise<string[]> {
    const credential = await layCredential(folder, this.#settings)
    const bound = { ConnectTimeout: String(greetingSeconds) }
    const options = { ...credential, ...bound, ControlMaster: 'no', ControlPath: 'none', LogLevel: 'INFO' }
    return ['-s', ...sshArguments({ ...this.#settings, options }), 'sftp']
  }
}

interface Open {
  readonly child: ChildProcessWithoutNullStreams
  readonly session: SftpSession
}

/** What went wrong with ssh is the cause; that the storage is not to be had is what follows from it. */
export const unreachable = (storage: string, cause: unknown): ApiError =>
  new ApiError('BS.1003', `${storage} cannot be reached`, { cause })

/** A server that wants to end need not wait for a connection that nobody uses. */
function hold(child: ChildProcessWithoutNullStreams, isBusy: boolean): void {
  for (const handle of [child, child.stdin, child.stdout, child.stderr] as unknown as Socket[]) {
    if (isBusy) handle.ref()
    else handle.unref()
  }
}
