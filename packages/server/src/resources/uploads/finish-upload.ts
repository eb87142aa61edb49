import type { Database, Tx } from '@wharf/database/database.ts'
import { untilAborted } from '@wharf/platform/abort.ts'
import { ApiError } from '@wharf/platform/api-error.ts'
import type { Clock } from '@wharf/platform/clock.ts'
import { digestMismatch } from '@wharf/platform/digests.ts'
import type { HashingThread } from '@wharf/platform/hashing-thread.ts'
import * as failures from './failures.ts'
import type { Spool } from './spool.ts'
import type { UploadRow, UploadStore } from './store.ts'
import type { UploadListeners } from './upload-listeners.ts'
import { asOpener } from './upload-source.ts'
import { lockRights } from './user-rights.ts'

interface FinishUploadDeps {
  readonly database: Database
  readonly store: UploadStore
  readonly clock: Clock
  readonly spool: Spool
  readonly hasher: HashingThread
  readonly listeners: UploadListeners
}

/** Syncs, hashes and compares a complete upload, and publishes that it is finished. It can be repeated after a crash. */
export async function finishUpload(
  upload: UploadRow,
  size: number,
  closing: AbortSignal,
  deps: FinishUploadDeps,
): Promise<void> {
  const { id, packageUuid, md5: expectedMd5, sha256 } = upload
  const { database, store, clock, spool, hasher, listeners } = deps
  const hashing = hasher.hashWhole(id, spool.pathOf(id), size, sha256 !== null)
  // hashing a large file again takes longer than a node may take to stop
  const hashed = untilAborted(closing, hashing, failures.shuttingDown)
  const [digests] = await Promise.all([hashed, syncToDisk(id, deps)])
  const mismatch = digestMismatch({ md5: expectedMd5 ?? undefined, sha256: sha256 ?? undefined }, digests)
  if (mismatch !== undefined) {
    await endUpload({ id, packageUuid }, mismatch, deps)
    throw mismatch
  }
  const { md5 } = digests
  const finish = async (tx: Tx): Promise<boolean> => {
    await lockRights(tx, database, upload)
    const done = { state: 'Finished', size, md5, lastOpDate: clock.now() } as const
    if (!(await store.updateOpen(tx, id, done))) return false
    await listeners.publishFinished(tx, { id, packageUuid, md5, size })
    return true
  }
  const finishing = asOpener(upload, clock.now(), () => database.transaction(finish))
  const isOpen = await finishing.catch(async (error: unknown) => {
    // it would be retried for days
    if (error instanceof ApiError && (error.code === 'ID.1002' || error.code === 'SYS.1003'))
      await endUpload({ id, packageUuid }, error, deps)
    throw error
  })
  hasher.forget(id)
  if (!isOpen) throw failures.uploadEnded()
}

/** After a failed sync it is unknown which bytes are on the disk, so the client has to send all of them again. */
async function syncToDisk(id: string, { spool, hasher }: FinishUploadDeps): Promise<void> {
  try {
    await spool.sync(id)
  } catch (error) {
    hasher.forget(id)
    await spool.remove(id).catch(() => {})
    throw failures.notOnDisk(error)
  }
}

/** Changes the row first; the bytes are removed after that commit, or by the next sweep. */
export async function endUpload(
  { id, packageUuid }: Pick<UploadRow, 'id' | 'packageUuid'>,
  reason: ApiError,
  { database, store, clock, spool, hasher, listeners }: FinishUploadDeps,
  { ifExpiredBy, authorise }: { ifExpiredBy?: number; authorise?: (tx: Tx) => Promise<void> } = {},
): Promise<void> {
  const isOpen = await database.transaction(async (tx) => {
    await authorise?.(tx)
    if (!(await store.updateOpen(tx, id, { state: 'Ended', lastOpDate: clock.now() }, ifExpiredBy))) return false
    await listeners.publishEnded(tx, { id, packageUuid, reason })
    return true
  })
  if (!isOpen) throw failures.uploadEnded()
  hasher.forget(id)
  await spool.remove(id)
}
