import { hash } from 'node:crypto'
import type { Database } from '@wharf/database/database.ts'
import { deleteInBatches } from '@wharf/database/delete-in-batches.ts'
import { ApiError } from '@wharf/platform/api-error.ts'
import type { Clock } from '@wharf/platform/clock.ts'
import { HashingThread } from '@wharf/platform/hashing-thread.ts'
import type { Log } from '@wharf/platform/log.ts'
import * as failures from './failures.ts'
import { FifoLock } from './fifo-lock.ts'
import { FinishRetries } from './finish-retries.ts'
import { endUpload, finishUpload } from './finish-upload.ts'
import { bufferCount, idleUploadMs, keepEndedMs, maxUploadMs } from './limits.ts'
import { type IncomingSlice, offsetOf, receiveSlice } from './slice-receiver.ts'
import type { Spool } from './spool.ts'
import type { UploadRow, UploadStore } from './store.ts'
import type { UploadListeners } from './upload-listeners.ts'
import { lockRights, requireRights } from './user-rights.ts'

export interface UploadSessionDeps {
  readonly database: Database
  readonly store: UploadStore
  readonly clock: Clock
  readonly log: Log
  readonly nodeUuid: string
  readonly spool: Spool
  readonly listeners: UploadListeners
  readonly maxPackageBytes: number
}

/** How much of an upload has arrived. */
export interface UploadProgress {
  readonly offset: number
  readonly size: number | null
  /** Null when the upload is finished. */
  readonly expiryDate: number | null
}

/** Handles the requests at the URL of an upload, one at a time for each upload. */
export class UploadSessions {
  readonly #deps: UploadSessionDeps & { readonly hasher: HashingThread }
  readonly #lock = new FifoLock()
  readonly #closing = new AbortController()
  readonly #retries = new FinishRetries((id) => this.#finishComplete(id))

  constructor(deps: UploadSessionDeps) {
    this.#deps = { ...deps, hasher: new HashingThread(bufferCount) }
  }

  async progress(id: string): Promise<UploadProgress> {
    // an upload that is being finished is complete, and hashing it again may take minutes
    if (this.#lock.isSettled(id)) return this.#progressOf(await this.#find(id))
    const progress = await this.#lockedProgress(id)
    // a client that reads here that everything is stored sends nothing more
    if (progress.expiryDate !== null && progress.offset === progress.size) void this.finishIfComplete(id)
    return progress
  }

  async #lockedProgress(id: string): Promise<UploadProgress> {
    using _hold = await this.#lock.acquire(id)
    return this.#progressOf(await this.#find(id))
  }

  async append(id: string, slice: IncomingSlice): Promise<UploadProgress> {
    using hold = await this.#lock.acquire(id)
    const row = await this.#find(id)
    if (row.state === 'Finished') return this.#repeatedEnd(row, slice)
    const received = await receiveSlice(row, slice, hold.signal, this.#deps).catch((error: unknown) => {
      // its bytes may be stored although the database was not updated
      if (!(error instanceof ApiError)) this.#retryFinish(id)
      throw error
    })
    if (received.offset === received.size) {
      hold.settle()
      await this.#finishUpload(row, received.size)
      return { offset: received.size, size: received.size, expiryDate: null }
    }
    if (received.ending === 'interrupted') throw hold.signal.reason
    if (received.ending === 'broken') throw failures.connectionClosed()
    return received
  }

  async terminate(id: string): Promise<void> {
    using _hold = await this.#lock.acquire(id)
    const row = await this.#find(id)
    if (row.state === 'Finished') throw failures.alreadyComplete()
    const { database } = this.#deps
    await endUpload(row, failures.terminated(), this.#deps, { authorise: (tx) => lockRights(tx, database, row) })
  }

  /** For an upload whose row has ended: interrupts its request and removes its bytes. */
  async discard(id: string): Promise<void> {
    this.#lock.interrupt(id, failures.uploadEnded())
    using _hold = await this.#lock.acquire(id)
    this.#deps.hasher.forget(id)
    await this.#deps.spool.remove(id)
  }

  /** Finishes a complete upload that no request has locked; in the background, and retried when it fails. */
  async finishIfComplete(id: string): Promise<void> {
    if (this.#closing.signal.aborted || this.#lock.isLocked(id)) return
    try {
      await this.#finishComplete(id)
    } catch (error) {
      this.#deps.log.warn({ err: error, upload: id }, 'an upload could not be finished')
      this.#retryFinish(id)
    }
  }

  /** Throws when it must be retried. */
  async #finishComplete(id: string): Promise<void> {
    const { store, spool } = this.#deps
    if (this.#closing.signal.aborted) return
    if (this.#lock.isLocked(id)) throw failures.takenOver()
    using hold = await this.#lock.acquire(id)
    const row = await store.find(id)
    if (row === undefined || row.state !== 'Open' || row.size !== (await offsetOf(spool, row))) return
    hold.settle()
    await finishUpload(row, row.size, this.#closing.signal, this.#deps)
  }

  /** Ends uploads that no client continues; returns their packages. */
  async removeExpired(): Promise<string[]> {
    const { database, store, clock, log, nodeUuid } = this.#deps
    const packageUuids: string[] = []
    for (const row of await store.listExpired(nodeUuid, clock.now())) {
      const isOutlived = row.createDate + maxUploadMs <= clock.now()
      const isExpired = row.expiryDate <= clock.now()
      // a slice that is arriving moves the expiry date when it ends
      if (!isOutlived && isExpired && this.#lock.isLocked(row.id)) continue
      try {
        if (isOutlived) await this.#end(row, failures.outlived(maxUploadMs / 86_400_000))
        else if (isExpired)
          await endUpload(row, failures.expired(idleUploadMs / 3_600_000), this.#deps, { ifExpiredBy: clock.now() })
        else await this.#end(row, failures.userDeleted())
        packageUuids.push(row.packageUuid)
      } catch (error) {
        log.warn({ err: error, upload: row.id }, 'an upload that has expired could not be ended')
      }
    }
    const date = clock.now() - keepEndedMs
    await deleteInBatches(database, (tx, limit) => store.removeEnded(tx, date, limit))
    return packageUuids
  }

  /** After a crash, and periodically: finishes complete uploads, removes bytes without an upload. */
  async sweep(): Promise<void> {
    const { store, spool, nodeUuid } = this.#deps
    // in this order: a file is created after its row
    const files = await spool.list()
    const rows = await store.listStored(nodeUuid)
    const kept = new Set(rows.map(({ id }) => id))
    for (const id of files) if (!kept.has(id)) await this.discard(id)
    for (const { id, state, size } of rows) if (state === 'Open' && size !== null) void this.finishIfComplete(id)
  }

  /** Interrupts the slices of users who have lost the right, before their clients have sent them. */
  async interruptRefused(): Promise<void> {
    for (const id of this.#lock.lockedIds()) {
      const row = await this.#deps.store.findWithRole(id)
      try {
        if (row?.state === 'Open') await requireRights(this.#deps.database, row, row)
      } catch (refusal) {
        this.#lock.interrupt(id, refusal as Error)
      }
    }
  }

  /** Interrupts all slices; the bytes that have arrived are kept. */
  async stop(): Promise<void> {
    this.#closing.abort()
    this.#retries.stop()
    await this.#lock.interruptAll(failures.shuttingDown())
  }

  async close(): Promise<void> {
    await this.stop()
    await this.#deps.hasher.close()
  }

  async #find(id: string): Promise<UploadRow> {
    const { store, clock, nodeUuid } = this.#deps
    if (this.#closing.signal.aborted) throw failures.shuttingDown()
    const row = await store.findWithRole(id)
    // the URL was signed by this server, so an upload without a row has existed and ended
    if (row === undefined || row.state === 'Ended') throw failures.uploadEnded()
    await requireRights(this.#deps.database, row, row)
    if (row.managementNodeUuid !== nodeUuid) throw failures.onAnotherNode(row.managementNodeUuid)
    const expiryDate = Math.min(row.expiryDate, row.createDate + maxUploadMs)
    if (row.state === 'Open' && expiryDate <= clock.now()) throw failures.uploadEnded()
    return row
  }

  /** Also while a slice of it is arriving. */
  async #end(row: UploadRow, reason: ApiError): Promise<void> {
    this.#lock.interrupt(row.id, failures.uploadEnded())
    await endUpload(row, reason, this.#deps)
    await this.discard(row.id)
  }

  async #progressOf(row: UploadRow): Promise<UploadProgress> {
    const { size, expiryDate, state } = row
    if (state === 'Finished') return { offset: size ?? 0, size, expiryDate: null }
    return { offset: await offsetOf(this.#deps.spool, row), size, expiryDate }
  }

  /** A client that missed the last answer may repeat its request; more bytes are refused. */
  #repeatedEnd({ size }: UploadRow, slice: IncomingSlice): UploadProgress {
    const offset = size ?? 0
    if (slice.offset !== offset) throw failures.wrongOffset(slice.offset, offset)
    if (slice.bytes !== 0) throw failures.pastTheEnd(offset)
    const { checksum } = slice
    if (checksum && hash(checksum.algorithm, '') !== checksum.digest) throw failures.sliceMismatch(checksum.algorithm)
    return { offset, size, expiryDate: null }
  }

  async #finishUpload(row: UploadRow, size: number): Promise<void> {
    try {
      await finishUpload(row, size, this.#closing.signal, this.#deps)
    } catch (error) {
      // has no effect on an upload that has ended; a failure of the database, for example, is temporary
      this.#retryFinish(row.id)
      throw error
    }
  }

  #retryFinish(id: string): void {
    if (!this.#closing.signal.aborted) this.#retries.schedule(id)
  }
}
