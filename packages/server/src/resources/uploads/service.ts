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
import { packageTooLarge, unknownUpload, userDeleted } from './failures.ts'
import { idleUploadMs } from './limits.ts'
import { Spool } from './spool.ts'
import { UploadStore } from './store.ts'
import { type EndedUpload, type FinishedUpload, UploadListeners } from './upload-listeners.ts'
import { UploadSessions } from './upload-sessions.ts'
import { auditSourceColumn } from './upload-source.ts'

const defaultMaxPackageBytes = 2 ** 40

export interface UploadDeps {
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
  /** The expected digests of the whole upload, in hex. */
  readonly md5?: string | undefined
  readonly sha256?: string | undefined
  readonly resumeKey?: string | undefined
  /** The permission that the caller needs, now and for every slice; default `operate`. */
  readonly permission?: Permission | undefined
  readonly caller: Pick<Caller, 'accountUuid' | 'userUuid'> & Partial<Pick<Caller, 'scope'>>
}

/** Uploads in slices: opened and ended by their packages, filled at their signed URLs. */
export class UploadService {
  readonly sessions: UploadSessions
  readonly maxPackageBytes: number
  readonly #deps: UploadDeps
  readonly #store: UploadStore
  readonly #spool: Spool
  readonly #listeners = new UploadListeners()

  constructor(deps: UploadDeps) {
    this.#deps = deps
    this.#store = new UploadStore(deps.database)
    this.#spool = new Spool(deps.settings.data)
    this.maxPackageBytes = deps.settings.maxPackageBytes ?? defaultMaxPackageBytes
    const { maxPackageBytes } = this
    this.sessions = new UploadSessions({
      ...deps,
      store: this.#store,
      spool: this.#spool,
      listeners: this.#listeners,
      maxPackageBytes,
    })
  }

  /** In the transaction that creates the package. `path` is relative to the base URL of the API. */
  async open(tx: Tx, upload: NewUpload): Promise<{ id: string; path: string }> {
    const { packageUuid, fileName, size = null, md5, sha256, resumeKey = null, permission = null, caller } = upload
    if (size !== null && size > this.maxPackageBytes) throw packageTooLarge(this.maxPackageBytes)
    await this.#refuseTooMany(tx, caller.userUuid)
    const id = newUuid()
    const now = this.#deps.clock.now()
    await this.#store.insert(tx, {
      id,
      packageUuid,
      managementNodeUuid: this.#deps.nodeUuid,
      accountUuid: caller.accountUuid,
      userUuid: caller.userUuid,
      permission,
      scope: JSON.stringify(caller.scope?.texts ?? []),
      auditSource: auditSourceColumn(),
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
    // an empty upload is already complete
    if (size === 0) afterCommit(tx, () => void this.sessions.finishIfComplete(id))
    return { id, path: this.pathOf(id) }
  }

  async #refuseTooMany(tx: Tx, userUuid: string): Promise<void> {
    const limit = userLimits.openUploads
    // two parallel calls must not both pass the limit
    await this.#deps.database.lock(tx, `open uploads of ${userUuid}`)
    if ((await this.#store.countOpenByUser(tx, userUuid, limit)) >= limit)
      throw tooMany('SYS.1006', `user ${userUuid} has ${limit} open uploads`, 'finish one, or delete its package')
  }

  /** The caller's unfinished uploads with this key, the newest first. The caller compares host and path. */
  async findOpen(tx: Tx, { userUuid }: Pick<Caller, 'userUuid'>, resumeKey: string) {
    const rows = await this.#store.listResumable(tx, userUuid, resumeKey, this.#deps.clock.now())
    return rows.map(({ id, packageUuid, managementNodeUuid, fileName, size, md5, sha256 }) => {
      return { id, packageUuid, managementNodeUuid, fileName, size, md5, sha256, path: this.pathOf(id) }
    })
  }

  /** A client that resumes may announce a digest that it had not announced before. */
  async expect(tx: Tx, id: string, { md5, sha256 }: ExpectedDigests): Promise<void> {
    if (md5 !== undefined) await this.#store.updateOpen(tx, id, { md5 })
    if (sha256 !== undefined) await this.#store.updateOpen(tx, id, { sha256 })
  }

  /** The unfinished uploads of these packages. */
  async openOf(packageUuids: readonly string[]) {
    const rows = await this.#store.listOpenOfPackages(packageUuids)
    return rows.map(({ id, packageUuid, userUuid }) => ({ packageUuid, userUuid, path: this.pathOf(id) }))
  }

  /** The user who opened the upload, and its file name. */
  async about(tx: Tx, id: string): Promise<{ caller: Pick<Caller, 'accountUuid' | 'userUuid'>; fileName: string }> {
    const row = await this.#store.find(id, tx)
    if (row === undefined) throw unknownUpload()
    const { accountUuid, userUuid, fileName } = row
    return { caller: { accountUuid, userUuid }, fileName }
  }

  /** For a package that is deleted or has failed: removes the bytes; later requests get 410. */
  async end(tx: Tx, packageUuid: string): Promise<void> {
    this.#discardAfter(tx, await this.#store.endOfPackage(tx, packageUuid, this.#deps.clock.now()))
  }

  /** After the row of the user was deleted, which waits for calls that open an upload. */
  async endOfUser(tx: Tx, userUuid: string): Promise<void> {
    const open = await this.#store.listOpenByUser(tx, userUuid)
    const change = { state: 'Ended', lastOpDate: this.#deps.clock.now() } as const
    for (const { id, packageUuid } of open)
      if (await this.#store.updateOpen(tx, id, change))
        await this.#listeners.publishEnded(tx, { id, packageUuid, reason: userDeleted() })
    this.#discardAfter(tx, open)
  }

  /** After a user was deleted or got another role, perhaps on another node: stops its slices and removes its bytes. */
  async followUsers(): Promise<void> {
    await this.sessions.interruptRefused()
    await this.sessions.sweep()
  }

  #discardAfter(tx: Tx, ended: readonly { id: string }[]): void {
    afterCommit(tx, () => {
      for (const { id } of ended)
        this.sessions.discard(id).catch((error: unknown) => {
          this.#deps.log.warn(
            { err: error, upload: id },
            'the bytes of an ended upload were not removed; the next sweep removes them',
          )
        })
    })
  }

  /** In the transaction that finishes the upload: what the listener does happens exactly once. */
  onFinished(listener: (tx: Tx, upload: FinishedUpload) => Promise<void>): void {
    this.#listeners.onFinished(listener)
  }

  /** Terminated, expired, or a digest mismatch; not called for uploads that `end` has ended. */
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

  /** The bytes of a finished upload, to be renamed or read. */
  spoolFile(id: string): string {
    return this.#spool.pathOf(id)
  }

  /** After the package has the bytes. A client that missed the last answer still reads that the upload is complete. */
  removeSpool(id: string): Promise<void> {
    return this.#spool.remove(id)
  }

  /** Throws when the spool has not enough free space. */
  requireSpace(bytes: number): Promise<void> {
    return this.#spool.requireSpace(bytes)
  }

  freeBytes(): Promise<number> {
    return this.#spool.freeBytes()
  }

  countOpen(managementNodeUuid: string): Promise<number> {
    return this.#store.countOpen(managementNodeUuid)
  }

  /** Continues after a crash or a restart. The listeners must be registered before. */
  async start(): Promise<void> {
    await this.#spool.prepare()
    await this.sessions.sweep()
  }

  /** Called periodically; returns the packages whose uploads have expired. */
  async removeExpired(): Promise<string[]> {
    const packageUuids = await this.sessions.removeExpired()
    await this.sessions.sweep()
    return packageUuids
  }

  close(): Promise<void> {
    return this.sessions.close()
  }

  #signature(id: string): string {
    return this.#deps.sealing.token('upload', id)
  }
}
