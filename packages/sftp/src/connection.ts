import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { once } from 'node:events'
import { rm } from 'node:fs/promises'
import type { Socket } from 'node:net'
import { untilAborted } from '@wharf/platform/abort.ts'
import { ApiError } from '@wharf/platform/api-error.ts'
import { sshArguments, sshEnvironment } from '@wharf/ssh/arguments.ts'
import { type ConnectTimeouts, connectTimeouts } from '@wharf/ssh/connect-timeouts.ts'
import { type SshCredential, writeCredential } from '@wharf/ssh/credential.ts'
import { isTransientFailure, lostConnection, sshFailure } from '@wharf/ssh/failure.ts'
import { createPrivateFolder } from '@wharf/ssh/private-folder.ts'
import { streamTail } from '@wharf/ssh/stream-tail.ts'
import { checkedTarget, type SshTarget } from '@wharf/ssh/target.ts'
import { waitUntilSpawned } from '@wharf/ssh/wait-until-spawned.ts'
import { SftpSession } from './session.ts'

const maxCloseMs = 1000

/** Repeats an attempt that failed for a transient reason. */
type Retry = <T>(
  attempt: (number: number) => Promise<T>,
  options: { readonly signal: AbortSignal; readonly isTransient: (error: unknown) => boolean },
) => Promise<T>

export interface SftpSettings extends SshTarget, SshCredential {
  /** The name of the storage in error texts. */
  readonly storage: string
  /** Replaces the configuration of the server's user; `none` for none. */
  readonly configFile?: string
}

/**
 * One ssh with the subsystem sftp per storage. It runs no command, so an account that is limited to sftp is sufficient.
 * It ends when its standard input is closed, so a killed server leaves no process.
 */
export class SftpConnection {
  readonly #settings: SftpSettings
  readonly #retry: Retry
  #attempt: Promise<Open> | undefined

  constructor(settings: SftpSettings, retry: Retry) {
    this.#settings = checkedTarget(settings)
    this.#retry = retry
  }

  /** Concurrent callers share one attempt; after a lost connection the next caller starts another. */
  async session(signal: AbortSignal): Promise<SftpSession> {
    const open = async (attempt: number): Promise<Open> => {
      signal.throwIfAborted()
      this.#attempt ??= this.#open(connectTimeouts(attempt))
      return untilAborted(signal, this.#attempt)
    }
    return (await this.#retry(open, { signal, isTransient: isTransientFailure })).session
  }

  async close(): Promise<void> {
    const attempt = this.#attempt
    // later callers must not get the session that is being closed
    this.#attempt = undefined
    const open = await attempt?.catch(() => undefined)
    if (open === undefined || open.child.exitCode !== null || open.child.signalCode !== null) return
    open.child.ref()
    const exited = once(open.child, 'exit')
    open.child.stdin.end()
    // an unreachable host does not confirm the end
    const timer = setTimeout(() => open.child.kill('SIGKILL'), maxCloseMs)
    await exited
    clearTimeout(timer)
  }

  #open(timeouts: ConnectTimeouts): Promise<Open> {
    const attempt = this.#connect(timeouts, () => {
      if (this.#attempt === attempt) this.#attempt = undefined
    })
    return attempt
  }

  async #connect({ greetingSeconds, readyMs }: ConnectTimeouts, forget: () => void): Promise<Open> {
    const folder = await createPrivateFolder()
    try {
      const argv = await this.#arguments(folder, greetingSeconds)
      const options = { env: sshEnvironment(process.env), detached: true }
      const child = await waitUntilSpawned(spawn('ssh', argv, options))
      return { child, session: await this.#negotiate(child, readyMs, forget) }
    } catch (error) {
      forget()
      throw error
    } finally {
      // by now ssh has read the key or has failed
      await rm(folder, { recursive: true, force: true })
    }
  }

  async #negotiate(child: ChildProcessWithoutNullStreams, readyMs: number, forget: () => void): Promise<SftpSession> {
    const { storage, hostKey } = this.#settings
    const stderr = streamTail(child.stderr)
    const timer = setTimeout(() => child.kill('SIGKILL'), readyMs)
    const session = new SftpSession(child.stdin, child.stdout, (isBusy) => setReferenced(child, isBusy))
    let isReady = false
    child.once('close', () => {
      forget()
      const failure = isReady
        ? new ApiError('BS.1500', `${storage} broke off`, { cause: lostConnection(this.#settings, stderr()) })
        : unreachable(storage, sshFailure(this.#settings, stderr(), hostKey))
      session.end(failure)
    })
    try {
      await session.negotiate()
      isReady = true
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
    const credential = await writeCredential(folder, this.#settings)
    const connect = { ConnectTimeout: String(greetingSeconds), ControlMaster: 'no', ControlPath: 'none' }
    const options = { ...credential, ...connect, LogLevel: 'INFO' }
    return ['-s', ...sshArguments({ ...this.#settings, options }), 'sftp']
  }
}

interface Open {
  readonly child: ChildProcessWithoutNullStreams
  readonly session: SftpSession
}

export const unreachable = (storage: string, cause: unknown): ApiError =>
  new ApiError('BS.1003', `${storage} cannot be reached`, { cause })

/** An idle connection does not keep the process running. */
function setReferenced(child: ChildProcessWithoutNullStreams, isBusy: boolean): void {
  for (const handle of [child, child.stdin, child.stdout, child.stderr] as unknown as Socket[]) {
    if (isBusy) handle.ref()
    else handle.unref()
  }
}
