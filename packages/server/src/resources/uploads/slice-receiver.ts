import type { Database } from '@wharf/database/database.ts'
import { invalid } from '@wharf/platform/api-error.ts'
import type { Clock } from '@wharf/platform/clock.ts'
import type { HashingThread } from '@wharf/platform/hashing-thread.ts'
import type { Checksum } from './checksum.ts'
import * as failures from './failures.ts'
import { idleUploadMs, maxSliceBytes, maxUploadMs } from './limits.ts'
import type { SliceBody } from './slice-body.ts'
import type { Spool } from './spool.ts'
import type { UploadRow, UploadStore } from './store.ts'
import { lockRights } from './user-rights.ts'
import { type Ending, writeSlice } from './write-slice.ts'

/** A slice as its request describes it. */
export interface IncomingSlice {
  readonly offset: number
  /** Undefined when the request has no Content-Length. */
  readonly bytes: number | undefined
  /** The length of the whole upload, when it was deferred. */
  readonly uploadLength: number | undefined
  readonly checksum: Checksum | undefined
  readonly body: SliceBody
}

export interface Received {
  readonly offset: number
  readonly size: number | null
  readonly ending: Ending
  readonly expiryDate: number
}

interface SliceReceiverDeps {
  readonly database: Database
  readonly store: UploadStore
  readonly clock: Clock
  readonly spool: Spool
  readonly hasher: HashingThread
  readonly maxPackageBytes: number
}

/** The size of the file, without a slice whose checksum is not verified yet. */
export async function offsetOf(spool: Spool, { id, uncheckedFrom }: UploadRow): Promise<number> {
  return Math.min(await spool.sizeOf(id), uncheckedFrom ?? Number.POSITIVE_INFINITY)
}

/** Writes one slice to the spool, or refuses it and leaves the upload unchanged. */
export async function receiveSlice(
  row: UploadRow,
  slice: IncomingSlice,
  signal: AbortSignal,
  deps: SliceReceiverDeps,
): Promise<Received> {
  const { database, store, clock, spool } = deps
  const offset = await offsetOf(spool, row)
  if (slice.offset !== offset) throw failures.wrongOffset(slice.offset, offset)
  const size = agreedSize(row, slice, offset, deps.maxPackageBytes)
  const limit = limitOf(size, offset, deps.maxPackageBytes)
  if (slice.bytes !== undefined && slice.bytes > limit.bytes) throw limit.failure
  await spool.requireSpace(slice.bytes ?? 0)

  const { bytes, ending } = await writeToFile(row, slice, { offset, size, limit, signal }, deps)
  const now = clock.now()
  // an empty slice is not progress
  const expiryDate = bytes === 0 ? row.expiryDate : Math.min(now + idleUploadMs, row.createDate + maxUploadMs)
  if (row.createDate + maxUploadMs <= now) throw failures.uploadEnded()
  const isOpen = await database.transaction(async (tx) => {
    await lockRights(tx, database, row)
    return store.updateOpen(tx, row.id, { uncheckedFrom: null, expiryDate, lastOpDate: now })
  })
  if (!isOpen) throw failures.uploadEnded()
  if (offset + bytes !== size) spool.syncSoon(row.id, offset + bytes)
  return { offset: offset + bytes, size, ending, expiryDate }
}

interface Target {
  readonly offset: number
  readonly size: number | null
  readonly limit: Limit
  readonly signal: AbortSignal
}

async function writeToFile(row: UploadRow, slice: IncomingSlice, target: Target, deps: SliceReceiverDeps) {
  const { spool, hasher } = deps
  const { offset, size, limit, signal } = target
  const { body, checksum } = slice
  // an upload that announced no SHA-256 needs none, and computing it would slow it down
  const slicedFile = { id: row.id, path: spool.pathOf(row.id), offset, withSha256: row.sha256 !== null }
  const hash = hasher.hashSlice(slicedFile, checksum?.algorithm)
  let kept = 0
  try {
    await using file = await spool.openAt(row.id, offset)
    // after the file was truncated and before a byte is written: a crash must not count unverified bytes
    await announce(row, { size, uncheckedFrom: checksum === undefined ? null : offset }, deps)
    try {
      const claim = (bytes: number): Promise<void> => spool.claimSpace(bytes)
      const destination = { file, offset, hash, buffers: hasher.buffers, claim }
      const arrived = await writeSlice({ ...destination, body, maxBytes: limit.bytes, signal })
      if (arrived.ending === 'too-large') throw limit.failure
      if (checksum !== undefined) await verify(checksum, arrived.ending, hash, signal)
      kept = arrived.bytes
      return arrived
    } catch (error) {
      await file.truncate(offset)
      throw error
    }
  } catch (error) {
    throw failures.writeFailure(error)
  } finally {
    hash.end(offset + kept, kept > 0)
  }
}

type Announced = Pick<UploadRow, 'size' | 'uncheckedFrom'>

async function announce(row: UploadRow, change: Announced, { database, store }: SliceReceiverDeps): Promise<void> {
  if (change.size === row.size && change.uncheckedFrom === row.uncheckedFrom) return
  const isOpen = await database.transaction((tx) => store.updateOpen(tx, row.id, change))
  if (!isOpen) throw failures.uploadEnded()
}

/** A slice with a checksum counts as a whole or not at all. */
async function verify(
  { algorithm, digest }: Checksum,
  ending: Ending,
  hash: { checksum(): Promise<string> },
  signal: AbortSignal,
): Promise<void> {
  if (ending === 'interrupted') throw signal.reason
  if (ending === 'broken') throw failures.connectionClosed()
  if ((await hash.checksum()) !== digest) throw failures.sliceMismatch(algorithm)
}

/** A deferred length is set once, and never changes. */
function agreedSize(
  { size }: UploadRow,
  { uploadLength }: IncomingSlice,
  offset: number,
  maxPackageBytes: number,
): number | null {
  if (uploadLength === undefined) return size
  if (size !== null && size !== uploadLength)
    throw invalid(`Upload-Length is ${uploadLength}, but it was ${size} before`)
  if (uploadLength < offset) throw invalid(`Upload-Length is ${uploadLength}, but ${offset} bytes have arrived already`)
  if (uploadLength > maxPackageBytes) throw failures.packageTooLarge(maxPackageBytes)
  return uploadLength
}

interface Limit {
  readonly bytes: number
  readonly failure: Error
}

function limitOf(size: number | null, offset: number, maxPackageBytes: number): Limit {
  const rest = (size ?? maxPackageBytes) - offset
  if (rest >= maxSliceBytes) return { bytes: maxSliceBytes, failure: failures.sliceTooLarge(maxSliceBytes) }
  return { bytes: rest, failure: size === null ? failures.packageTooLarge(maxPackageBytes) : failures.pastTheEnd(size) }
}
