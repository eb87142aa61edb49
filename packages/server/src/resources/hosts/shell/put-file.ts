import { type Readable, Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { ApiError } from '@wharf/platform/api-error.ts'
import { releaseBuffer } from '@wharf/platform/release-buffer.ts'
import { streamTail } from '@wharf/ssh/stream-tail.ts'
import type { PutOptions } from '../driver.ts'
import { fenceFailure, fenceWords } from './fence.ts'
import { existsExitCode, fenceExitCode, fileFailure, incompleteInputExitCode } from './file-failure.ts'
import { hostPath } from './host-path.ts'
import { LineSplitter } from './line-splitter.ts'
import { type HostWithShells, openInShell } from './open-in-shell.ts'
import { putScript } from './put-script.ts'
import { Session } from './session.ts'

/** A smaller file is sent faster than ssh is started for it; a larger one would delay the commands of the shell. */
const maxShellBytes = 1024 * 1024
/** While a piece is written, so that ssh does not wait for the next one. */
const waitingBytes = 512 * 1024

export async function putFile(host: HostWithShells, bytes: Readable, path: string, options: PutOptions): Promise<void> {
  // it may fail before it is read; the reader still gets the error
  bytes.on('error', () => {})
  try {
    await put(host, bytes, hostPath(path), options)
  } finally {
    bytes.destroy()
  }
}

async function put(host: HostWithShells, bytes: Readable, path: string, options: PutOptions): Promise<void> {
  const { signal, size, linkPath = '', createFolders = false } = options
  const isSmall = size !== undefined && size <= maxShellBytes
  const names = [path, linkPath && hostPath(linkPath), createFolders ? 'yes' : '']
  const args = [...fenceWords(), ...names, isSmall ? String(size) : '']
  const opened = isSmall ? await openInShell(host, { script: 'put', args }, signal) : await openOwn(host, args, signal)
  const { session } = opened
  if (!opened.found) throw failureOf(host, session, path, options, opened.exitCode, opened.noise)
  using stderr = streamTail(session.stderr)
  using reports = new Reports(session)
  const interruption = await send(bytes, session, isSmall ? reports : undefined, options)
  const exitCode = await Promise.race([reports.succeeded, session.ended])
  if (exitCode !== 0) throw failureOf(host, session, path, options, exitCode, stderr(), interruption)
  if ('release' in opened) opened.release()
}

/** A program of its own, which ends with its input. */
async function openOwn({ transport }: HostWithShells, args: readonly string[], signal: AbortSignal) {
  const session = await Session.open(transport, putScript, args, { signal })
  const { found, noise } = await session.waitForStart(session.stdout, session.stderr)
  return found ? { found, session } : { found, session, exitCode: await session.ended, noise }
}

/** What the script reports in a shell, which ends only when the script fails. */
class Reports implements Disposable {
  readonly #received = Promise.withResolvers<void>()
  readonly #succeeded = Promise.withResolvers<number>()
  readonly #stop: () => void

  constructor({ stdout, marker }: Session) {
    const lines = new LineSplitter((line) => {
      if (line === `${marker} received`) this.#received.resolve()
      if (line === `${marker} 0`) this.#succeeded.resolve(0)
    })
    const push = (chunk: Buffer): void => lines.push(chunk)
    stdout.on('data', push)
    this.#stop = () => void stdout.off('data', push)
  }

  /** All bytes have arrived. */
  get received(): Promise<void> {
    return this.#received.promise
  }

  /** 0, when the file is complete. */
  get succeeded(): Promise<number> {
    return this.#succeeded.promise
  }

  [Symbol.dispose](): void {
    this.#stop()
  }
}

function failureOf(
  { transport: { host } }: HostWithShells,
  session: Session,
  path: string,
  { signal, linkPath }: PutOptions,
  exitCode: number | null,
  stderr: string,
  interruption?: unknown,
): unknown {
  if (signal.aborted) return signal.reason
  if (exitCode === existsExitCode)
    return new ApiError(
      'SYS.1002',
      `${linkPath ?? path} already exists on ${host}; choose another path, or delete what is there`,
    )
  if (exitCode === incompleteInputExitCode && interruption !== undefined) return interruption
  if (exitCode !== null && exitCode > fenceExitCode && exitCode <= fenceExitCode + 4)
    return fenceFailure(host, String(exitCode - fenceExitCode), stderr)
  if (exitCode === 1) return fileFailure(host, 'write', path, stderr)
  return session.failure(exitCode, stderr)
}

/**
 * The error that interrupted the transfer: of the source, of its verification, or because the host stopped reading.
 * `reports` when the input stays open.
 */
async function send(
  bytes: Readable,
  session: Session,
  reports: Reports | undefined,
  { signal, consumes = false, size, verify }: PutOptions,
): Promise<unknown> {
  const { stdin, marker } = session
  try {
    const sent = await writeAll(bytes, stdin, { signal, consumes })
    if (reports && sent !== size) throw new ApiError('SYS.1016', `the file has ${sent} bytes instead of ${size}`)
    await verify?.()
    if (reports === undefined) stdin.end(marker)
    else {
      await Promise.race([reports.received, session.ended])
      stdin.write(`${marker}\n`)
    }
    return undefined
  } catch (error) {
    stdin.destroy()
    return error
  }
}

/**
 * Leaves `to` open. With `consumes`, releases the memory of each piece once it is written. Returns the number of bytes. Not
 * with an iteration, which would copy waiting pieces into one.
 */
async function writeAll(
  bytes: Readable,
  to: Writable,
  { signal, consumes }: { readonly signal: AbortSignal; readonly consumes: boolean },
): Promise<number> {
  if (to.closed) throw stoppedReading()
  let sent = 0
  const writeTogether = (pieces: readonly Buffer[], done: (error?: Error | null) => void): void => {
    const written = (error?: Error | null): void => {
      if (consumes && !error) for (const piece of pieces) releaseBuffer(piece)
      done(error)
    }
    to.cork()
    for (const [index, piece] of pieces.entries()) {
      sent += piece.length
      to.write(piece, index === pieces.length - 1 ? written : undefined)
    }
    to.uncork()
  }
  const target = new Writable({
    highWaterMark: waitingBytes,
    write: (piece: Buffer, _encoding, done) => writeTogether([piece], done),
    writev: (waiting, done) =>
      writeTogether(
        waiting.map(({ chunk }) => chunk),
        done,
      ),
  })
  const stop = (): void => void target.destroy(stoppedReading())
  to.once('close', stop)
  try {
    await pipeline(bytes, target, { signal })
    return sent
  } finally {
    to.off('close', stop)
  }
}

const stoppedReading = (): Error => new Error('the host stopped reading')
