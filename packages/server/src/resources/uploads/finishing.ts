import type { Database, Tx } from '@wharf/database/database.ts'
import { untilAborted } from '@wharf/platform/abort.ts'
import { ApiError } from '@wharf/platform/api-error.ts'
import type { Clock } from '@wharf/platform/clock.ts'
import { digestMismatch } from '@wharf/platform/digests.ts'
import * as failures from './failures.ts'
import type { Hasher } from './hasher.ts'
import type { Listeners } from './listeners.ts'
import type { Spool } from './spool.ts'
import * as store from './store.ts'
import { lockRights } from './user-rights.ts'

interface Parts {
  readonly database: Database
  readonly clock: Clock
  readonly spool: Spool
  readonly hasher: Hasher
  readonly listeners: Listeners
}

/** Every byte has arrived: on the disk, hashed, compared, told. Whatever happens in between, it can be done again. */
export async function finish(upload: store.UploadRow, size: number, closing: AbortSignal, parts: Parts): Promise<void> {
  const { id, packageUuid, md5: expectedMd5, sha256 } = upload
  const { database, clock, spool, hasher, listeners } = parts
  const hashing = hasher.whole(id, spool.pathOf(id), size, sha256 !== null)
  // hashing a large file again takes longer than a node that is to stop may take
  const hashed = untilAborted(closing, hashing, failures.shuttingDown)
  const [digests] = await Promise.all([hashed, toDisk(id, parts)])
  const mismatch = digestMismatch({ md5: expectedMd5 ?? undefined, sha256: sha256 ?? undefined }, digests)
  if (mismatch !== undefined) {
    await endUpload({ id, packageUuid }, mismatch, parts)
    throw mismatch
  }
  const { md5 } = digests
  const finishing = database.transaction(async (tx) => {
    await lockRights(tx, database, upload)
    const done = { state: 'Finished', size, md5, lastOpDate: clock.now() } as const
    if (!(await store.changeOpen(tx, id, done))) return false
    await listeners.tellFinished(tx, { id, packageUuid, md5, size })
    return true
  })
  const isOpen = await finishing.catch(async (error: unknown) => {
    // it would be tried again for days
    if (error instanceof ApiError && error.code === 'ID.1002') await endUpload({ id, packageUuid }, error, parts)
    throw error
  })
  hasher.forget(id)
  if (!isOpen) throw failures.uploadEnded()
}

/** Of bytes that the disk did not take nobody knows what it has of them: they are sent again, all of them. */
async function toDisk(id: string, { spool, hasher }: Parts): Promise<void> {
  try {
    await spool.sync(id)
  } catch (error) {
    hasher.forget(id)
    await spool.remove(id).catch(() => {})
    throw failures.notOnDisk(error)
  }
}

/** The row says so first; the bytes go when that is certain, or at the next sweep. */
export async function endUpload(
  { id, packageUuid }: Pick<store.UploadRow, 'id' | 'packageUuid'>,
  reason: ApiError,
  { database, clock, spool, hasher, listeners }: Parts,
  { ifExpiredBy, authorise }: { ifExpiredBy?: number; authorise?: (tx: Tx) => Promise<void> } = {},
): Promise<void> {
  const isOpen = await database.transaction(async (tx) => {
    await authorise?.(tx)
    if (!(await store.changeOpen(tx, id, { state: 'Ended', lastOpDate: clock.now() }, ifExpiredBy))) return false
    await listeners.tellEnded(tx, { id, packageUuid, reason })
    return true
  })
  if (!isOpen) throw failures.uploadEnded()
  hasher.forget(id)
  await spool.remove(id)
}
