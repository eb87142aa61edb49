import { hash } from 'node:crypto'
import type { Database } from '@wharf/database/database.ts'
import { deleteInBatches } from '@wharf/database/delete-in-batches.ts'
import { ApiError } from '@wharf/platform/api-error.ts'
import type { Clock } from '@wharf/platform/clock.ts'
import type { Log } from '@wharf/platform/log.ts'
import * as failures from './failures.ts'
import { FinishRetries } from './finish-retries.ts'
import { endUpload, finish } from './finishing.ts'
import { Hasher } from './hasher.ts'
import { idleUploadMs, maxUploadMs, rememberEndedMs } from './limits.ts'
import type { Listeners } from './listeners.ts'
import { type IncomingSlice, offsetOf, receive } from './reception.ts'
import type { Spool } from './spool.ts'
import * as store from './store.ts'
import { Turns } from './turns.ts'
import { lockRights, requireRights } from './user-rights.ts'

export interface DeskParts {
  readonly database: Database
  readonly clock: Clock
  readonly log: Log
  readonly nodeUuid: string
  readonly spool: Spool
  readonly listeners: Listeners
  readonly maxPackageBytes: number
}

/** How far an upload has come. */
export interface Standing {
  readonly offset: number
  readonly size: number | null
  /** Null once it is finished. */
  readonly expiryDate: number | null
}

/** What happens at the address of an upload, one request at a time. */
export class Desk {
  readonly #parts: DeskParts & { readonly hasher: Hasher }
  readonly #turns = new Turns()
  readonly #closing = new AbortController()
  readonly #retries = new FinishRetries((id) => this.#finishComplete(id))

  constructor(parts: DeskParts) {
    this.#parts = { ...parts, hasher: new Hasher() }
  }

  async standing(id: string): Promise<Standing> {
    // while it is being finished the bytes are all there, and hashing them again may take minutes
    if (this.#turns.isSettled(id)) return this.#standing(await this.#find(id))
    const standing = await this.#standingInTurn(id)
    // a client that reads here that everything is stored sends nothing more
    if (standing.expiryDate !== null && standing.offset === standing.size) void this.finishIfComplete(id)
    return standing
  }

  async #standingInTurn(id: string): Promise<Standing> {
    using _turn = await this.#turns.take(id)
    return this.#standing(await this.#find(id))
  }

  async append(id: string, slice: IncomingSlice): Promise<Standing> {
    using turn = await this.#turns.take(id)
    const row = await this.#find(id)
    if (row.state === 'Finished') return this.#afterTheEnd(row, slice)
    const received = await receive(row, slice, turn.signal, this.#parts).catch((error: unknown) => {
      // its bytes may be stored, and only the database did not learn of it
      if (!(error instanceof ApiError)) this.#retryFinish(id)
      throw error
    })
    if (received.offset === received.size) {
      turn.settle()
      await this.#finish(row, received.size)
      return { offset: received.size, size: received.size, expiryDate: null }
    }
    if (received.ending === 'interrupted') throw turn.signal.reason
    if (received.ending === 'broken') throw failures.brokenOff()
    return received
  }

  async terminate(id: string): Promise<void> {
    using _turn = await this.#turns.take(id)
    const row = await this.#find(id)
    if (row.state === 'Finished') throw failures.alreadyComplete()
    const { database } = this.#parts
    await endUpload(row, failures.terminated(), this.#parts, { authorise: (tx) => lockRights(tx, database, row) })
  }

  /** Its row has ended: whoever still sends is told, and the bytes go. */
  async discard(id: string): Promise<void> {
    this.#turns.interrupt(id, failures.uploadEnded())
    using _turn = await this.#turns.take(id)
    this.#parts.hasher.forget(id)
    await this.#parts.spool.remove(id)
  }

  /** If all of it is stored and no request has it; in the background, and again when that fails. */
  async finishIfComplete(id: string): Promise<void> {
    if (this.#closing.signal.aborted || this.#turns.isTaken(id)) return
    try {
      await this.#finishComplete(id)
    } catch (error) {
      this.#parts.log.warn({ err: error, upload: id }, 'an upload could not be finished')
      this.#retryFinish(id)
    }
  }

  /** Throws when it must be tried again. */
  async #finishComplete(id: string): Promise<void> {
    const { database, spool } = this.#parts
    if (this.#closing.signal.aborted) return
    if (this.#turns.isTaken(id)) throw failures.takenOver()
    using turn = await this.#turns.take(id)
    const row = await store.findUpload(database.read, id)
    if (row === undefined || row.state !== 'Open' || row.size !== (await offsetOf(spool, row))) return
    turn.settle()
    await finish(row, row.size, this.#closing.signal, this.#parts)
  }

  /** Ends what nobody goes on with. The packages of those that ended. */
  async removeExpired(): Promise<string[]> {
    const { database, clock, log, nodeUuid } = this.#parts
    const packageUuids: string[] = []
    for (const row of await store.findExpired(database.read, nodeUuid, clock.now())) {
      const isOutlived = row.createDate + maxUploadMs <= clock.now()
      const isExpired = row.expiryDate <= clock.now()
      // a slice that is still coming moves the expiry date when it ends
      if (!isOutlived && isExpired && this.#turns.isTaken(row.id)) continue
      try {
        if (isOutlived) await this.#end(row, failures.outlived(maxUploadMs / 86_400_000))
        else if (isExpired)
          await endUpload(row, failures.expired(idleUploadMs / 3_600_000), this.#parts, { ifExpiredBy: clock.now() })
        else await this.#end(row, failures.userDeleted())
        packageUuids.push(row.packageUuid)
      } catch (error) {
        log.warn({ err: error, upload: row.id }, 'an upload that has expired could not be ended')
      }
    }
    const date = clock.now() - rememberEndedMs
    await deleteInBatches(database, (tx, limit) => store.forgetEnded(tx, date, limit))
    return packageUuids
  }

  /** After a crash, and now and then: finishes what is complete, removes bytes that belong to nothing. */
  async sweep(): Promise<void> {
    const { database, spool, nodeUuid } = this.#parts
    // in this order: a file is made after its row
    const files = await spool.list()
    const rows = await store.findKept(database.read, nodeUuid)
    const kept = new Set(rows.map(({ id }) => id))
    for (const id of files) if (!kept.has(id)) await this.discard(id)
    for (const { id, state, size } of rows) if (state === 'Open' && size !== null) void this.finishIfComplete(id)
  }

  /** Slices of users who have lost the right stop now, not when their clients have sent them. */
  async interruptRefused(): Promise<void> {
    for (const id of this.#turns.taken()) {
      const row = await store.findWithRole(this.#parts.database.read, id)
      try {
        if (row?.state === 'Open') requireRights(row, row.role)
      } catch (refusal) {
        this.#turns.interrupt(id, refusal as Error)
      }
    }
  }

  /** Slices that run stop at once; what arrived is kept. */
  async stop(): Promise<void> {
    this.#closing.abort()
    this.#retries.stop()
    await this.#turns.endAll(failures.shuttingDown())
  }

  async close(): Promise<void> {
    await this.stop()
    await this.#parts.hasher.close()
  }

  async #find(id: string): Promise<store.UploadRow> {
    const { database, clock, nodeUuid } = this.#parts
    if (this.#closing.signal.aborted) throw failures.shuttingDown()
    const row = await store.findWithRole(database.read, id)
    // one that was signed and is gone has been: nobody else can sign
    if (row === undefined || row.state === 'Ended') throw failures.uploadEnded()
    requireRights(row, row.role)
    if (row.managementNodeUuid !== nodeUuid) throw failures.onAnotherNode(row.managementNodeUuid)
    const expiryDate = Math.min(row.expiryDate, row.createDate + maxUploadMs)
    if (row.state === 'Open' && expiryDate <= clock.now()) throw failures.uploadEnded()
    return row
  }

  /** Also while a slice of it is coming. */
  async #end(row: store.UploadRow, reason: ApiError): Promise<void> {
    this.#turns.interrupt(row.id, failures.uploadEnded())
    await endUpload(row, reason, this.#parts)
    await this.discard(row.id)
  }

  async #standing(row: store.UploadRow): Promise<Standing> {
    const { size, expiryDate, state } = row
    if (state === 'Finished') return { offset: size ?? 0, size, expiryDate: null }
    return { offset: await offsetOf(this.#parts.spool, row), size, expiryDate }
  }

  /** Whoever missed the last answer may repeat what it was for; anything more is refused. */
  #afterTheEnd({ size }: store.UploadRow, slice: IncomingSlice): Standing {
    const offset = size ?? 0
    if (slice.offset !== offset) throw failures.wrongOffset(slice.offset, offset)
    if (slice.bytes !== 0) throw failures.pastTheEnd(offset)
    const { checksum } = slice
    if (checksum && hash(checksum.algorithm, '') !== checksum.digest) throw failures.sliceMismatch(checksum.algorithm)
    return { offset, size, expiryDate: null }
  }

  async #finish(row: store.UploadRow, size: number): Promise<void> {
    try {
      await finish(row, size, this.#closing.signal, this.#parts)
    } catch (error) {
      // one that has ended by this is left alone; trouble, with the database say, passes
      this.#retryFinish(row.id)
      throw error
    }
  }

  #retryFinish(id: string): void {
    if (!this.#closing.signal.aborted) this.#retries.schedule(id)
  }
}
