import type { Permission } from '@wharf/contract'
import { afterCommit, type Database, type Tx } from '@wharf/database/database.ts'
import type { Clock } from '@wharf/platform/clock.ts'
import { constantTimeEqual } from '@wharf/platform/constant-time.ts'
import type { ExpectedDigests } from '@wharf/platform/digests.ts'
import { newUuid } from '@wharf/platform/ids.ts'
import type { Log } from '@wharf/platform/log.ts'
import type { Sealing } from '@wharf/platform/sealing.ts'
import { tooMany, userLimits } from '@wharf/platform/user-limits.ts'
import type { Caller } from '../../calls/caller.ts'
import { Desk } from './desk.ts'
import { packageTooLarge, unknownUpload, userDeleted } from './failures.ts'
import { idleUploadMs } from './limits.ts'
import { type EndedUpload, type FinishedUpload, Listeners } from './listeners.ts'
import { Spool } from './spool.ts'
import * as store from './store.ts'

const standardMaxPackageBytes = 2 ** 40

export interface UploadParts {
  readonly database: Database
  readonly sealing: Sealing
  readonly clock: Clock
  readonly log: Log
  readonly nodeUuid: string
  readonly settings: { readonly data: string; readonly maxPackageBytes?: number | undefined }
}

export interface NewUpload {
  readonly packageUuid: string
  readonly fileName: string
  readonly size?: number | undefined
  /** That the whole must have, in hex. */
  readonly md5?: string | undefined
  readonly sha256?: string | undefined
  readonly resumeKey?: string | undefined
  /** What the caller must be allowed, now and for every slice; `operate` unless it says otherwise. */
  readonly permission?: Permission | undefined
  readonly caller: Pick<Caller, 'accountUuid' | 'userUuid'>
}

/** Uploads in slices: opened and ended by the packages they are for, filled at their signed addresses. */
export class UploadService {
  /** What is done at those addresses. */
  readonly desk: Desk
  readonly maxPackageBytes: number
  readonly #parts: UploadParts
  readonly #spool: Spool
  readonly #listeners = new Listeners()

  constructor(parts: UploadParts) {
    this.#parts = parts
    this.#spool = new Spool(parts.settings.data)
    this.maxPackageBytes = parts.settings.maxPackageBytes ?? standardMaxPackageBytes
    const { maxPackageBytes } = this
    this.desk = new Desk({ ...parts, spool: this.#spool, listeners: this.#listeners, maxPackageBytes })
  }

  /** In the transaction that makes the package. `path` stands below the address of the API. */
  async open(tx: Tx, upload: NewUpload): Promise<{ id: string; path: string }> {
    const { packageUuid, fileName, size = null, md5, sha256, resumeKey = null, permission = null, caller } = upload
    if (size !== null && size > this.maxPackageBytes) throw packageTooLarge(this.maxPackageBytes)
    await this.#refuseTooMany(tx, caller.userUuid)
    const id = newUuid()
    const now = this.#parts.clock.now()
    await store.insertUpload(tx, {
      id,
      packageUuid,
      managementNodeUuid: this.#parts.nodeUuid,
      accountUuid: caller.accountUuid,
      userUuid: caller.userUuid,
      permission,
      fileName,
      size,
      md5: md5?.toLowerCase() ?? null,
      sha256: sha256?.toLowerCase() ?? null,
      resumeKey,
      state: 'Open',
      uncheckedFrom: null,
      expiryDate: now + idleUploadMs,
      createDate: now,
      lastOpDate: now,
    })
    // of nothing, everything has arrived
    if (size === 0) afterCommit(tx, () => void this.desk.finishIfComplete(id))
    return { id, path: this.pathOf(id) }
  }

  async #refuseTooMany(tx: Tx, userUuid: string): Promise<void> {
    const limit = userLimits.openUploads
    // two calls at once must not both find the last place free
    await this.#parts.database.lock(tx, `open uploads of ${userUuid}`)
    if ((await store.countOpenOf(tx, userUuid, limit)) >= limit)
      throw tooMany('SYS.1006', `user ${userUuid} has ${limit} open uploads`, 'finish one, or delete its package')
  }

  /** The caller's unfinished uploads with this key, the newest first. Host and path are the package's to compare. */
  async findOpen(tx: Tx, { userUuid }: Pick<Caller, 'userUuid'>, resumeKey: string) {
    const rows = await store.findResumable(tx, userUuid, resumeKey, this.#parts.clock.now())
    return rows.map(({ id, packageUuid, managementNodeUuid, fileName, size, md5, sha256 }) => {
      return { id, packageUuid, managementNodeUuid, fileName, size, md5, sha256, path: this.pathOf(id) }
    })
  }

  /** A client that resumes may announce a digest that it had not announced before. */
  async expect(tx: Tx, id: string, { md5, sha256 }: ExpectedDigests): Promise<void> {
    if (md5 !== undefined) await store.changeOpen(tx, id, { md5 })
    if (sha256 !== undefined) await store.changeOpen(tx, id, { sha256 })
  }

  /** Of these packages, the uploads that still wait for slices. */
  async openOf(packageUuids: readonly string[]) {
    const rows = await store.findOpenOf(this.#parts.database.read, packageUuids)
    return rows.map(({ id, packageUuid, userUuid }) => ({ packageUuid, userUuid, path: this.pathOf(id) }))
  }

  /** Whose it is, and what the file is called. */
  async about(tx: Tx, id: string): Promise<{ caller: Pick<Caller, 'accountUuid' | 'userUuid'>; fileName: string }> {
    const row = await store.findUpload(tx, id)
    if (row === undefined) throw unknownUpload()
    const { accountUuid, userUuid, fileName } = row
    return { caller: { accountUuid, userUuid }, fileName }
  }

  /** When the package goes or gives up on it: the bytes are removed, later calls are told that it has ended. */
  async end(tx: Tx, packageUuid: string): Promise<void> {
    this.#discardAfter(tx, await store.endOfPackage(tx, packageUuid, this.#parts.clock.now()))
  }

  /** When the user goes, after its row: whoever was opening one is waited for there. */
  async endOfUser(tx: Tx, userUuid: string): Promise<void> {
    const open = await store.findOpenByUser(tx, userUuid)
    const change = { state: 'Ended', lastOpDate: this.#parts.clock.now() } as const
    for (const { id, packageUuid } of open)
      if (await store.changeOpen(tx, id, change))
        await this.#listeners.tellEnded(tx, { id, packageUuid, reason: userDeleted() })
    this.#discardAfter(tx, open)
  }

  /** A user was deleted or has another role, perhaps at another node: its slices stop and its bytes go. */
  async followUsers(): Promise<void> {
    await this.desk.interruptRefused()
    await this.desk.sweep()
  }

  #discardAfter(tx: Tx, ended: readonly { id: string }[]): void {
    afterCommit(tx, () => {
      for (const { id } of ended)
        this.desk.discard(id).catch((error: unknown) => {
          this.#parts.log.warn({ err: error, upload: id }, 'the bytes of an ended upload wait for the next sweep')
        })
    })
  }

  /** In the transaction that finishes the upload: what the listener does happens exactly once. */
  onFinished(listener: (tx: Tx, upload: FinishedUpload) => Promise<void>): void {
    this.#listeners.onFinished(listener)
  }

  /** Terminated, expired, or another digest than announced; not told of what `end` has ended. */
  onEnded(listener: (tx: Tx, upload: EndedUpload) => Promise<void>): void {
    this.#listeners.onEnded(listener)
  }

  /** Its signature is the only credential it needs. */
  pathOf(id: string): string {
    return `/v1/uploads/${id}?signature=${this.#signature(id)}`
  }

  isSigned(id: string, signature: string): boolean {
    return /^[0-9a-f]{32}$/.test(id) && constantTimeEqual(signature, this.#signature(id))
  }

  /** The bytes of a finished upload, for whoever carries them off by renaming or reading. */
  spoolFile(id: string): string {
    return this.#spool.pathOf(id)
  }

  /** Once they have been carried off. A client that missed the last answer is still told that all arrived. */
  removeSpool(id: string): Promise<void> {
    return this.#spool.remove(id)
  }

  /** Throws when the spool has no room for so many bytes. */
  requireSpace(bytes: number): Promise<void> {
    return this.#spool.requireSpace(bytes)
  }

  freeBytes(): Promise<number> {
    return this.#spool.freeBytes()
  }

  countOpen(managementNodeUuid: string): Promise<number> {
    return store.countOpen(this.#parts.database.read, managementNodeUuid)
  }

  /** Goes on where a crash or a restart stopped it. The listeners must be there. */
  async start(): Promise<void> {
    await this.#spool.prepare()
    await this.desk.sweep()
  }

  /** Now and then. The packages whose uploads have expired. */
  async removeExpired(): Promise<string[]> {
    const packageUuids = await this.desk.removeExpired()
    await this.desk.sweep()
    return packageUuids
  }

  close(): Promise<void> {
    return this.desk.close()
  }

  #signature(id: string): string {
    return this.#parts.sealing.token('upload', id)
  }
}
