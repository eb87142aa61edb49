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
import { putScript } from './put-script.ts'
import { Session } from './session.ts'
import type { Transport } from './transport.ts'

/** A larger file is carried faster by an ssh of its own, which costs more to start. */
const maxChannelBytes = 1024 * 1024
/** While a piece is written, so that ssh does not wait for the next one. */
const waitingBytes = 512 * 1024

export async function putFile(transport: Transport, bytes: Readable, path: string, options: PutOptions): Promise<void> {
  // it may fail before it is read; the reader still gets the error
  bytes.on('error', () => {})
  try {
    await put(transport, bytes, hostPath(path), options)
  } finally {
    bytes.destroy()
  }
}

async function put(transport: Transport, bytes: Readable, path: string, options: PutOptions): Promise<void> {
  const { signal, size = Infinity, linkPath = '', createFolders = false } = options
  const isSmall = size <= maxChannelBytes
  const names = [path, linkPath && hostPath(linkPath), createFolders ? 'yes' : '']
  const args = [...fenceWords(), ...names, isSmall ? String(size) : '']
  const session = await Session.open(transport, putScript, args, { signal, carriesFile: !isSmall })
  const { found, noise } = await session.waitForStart(session.stdout, session.stderr)
  if (!found) throw failureOf(transport, session, path, options, await session.ended, noise)
  using stderr = streamTail(session.stderr)
  const interruption = await send(bytes, session, { ...options, isSmall })
  const exitCode = await session.ended
  if (exitCode !== 0) throw failureOf(transport, session, path, options, exitCode, stderr(), interruption)
}

function failureOf(
  { host }: Transport,
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

/** The error that interrupted the transfer: of the source, of its verification, or because the host stopped reading. */
async function send(
  bytes: Readable,
  session: Session,
  { signal, consumes = false, size, verify, isSmall }: PutOptions & { readonly isSmall: boolean },
): Promise<unknown> {
  const { stdin, marker } = session
  const received = isSmall ? receivedBy(session) : undefined
  try {
    const sent = await writeAll(bytes, stdin, { signal, consumes })
    if (size !== undefined && sent !== size)
      throw new ApiError('SYS.1016', `the file has ${sent} bytes instead of ${size}`)
    await verify?.()
    await received
    stdin.end(isSmall ? `${marker}\n` : marker)
    return undefined
  } catch (error) {
    stdin.destroy()
    return error
  }
}

/** The script has received the number of bytes that it was started for, or has ended. */
async function receivedBy({ stdout, marker, ended }: Session): Promise<void> {
  const received = Promise.withResolvers<void>()
  const lines = new LineSplitter((line) => {
    if (line === `${marker} received`) received.resolve()
  })
  stdout.on('data', (chunk: Buffer) => lines.push(chunk))
  await Promise.race([received.promise, ended])
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
