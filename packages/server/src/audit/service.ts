import type { AuditRecord } from '@wharf/contract'
import type { Database } from '@wharf/database/database.ts'
import { deleteInBatches } from '@wharf/database/delete-in-batches.ts'
import type { Clock } from '@wharf/platform/clock.ts'
import type { Log } from '@wharf/platform/log.ts'
import type { Sealing } from '@wharf/platform/sealing.ts'
import { auditRecord } from './audit-record.ts'
import type { AuditSource } from './audit-source.ts'
import { AuditTrail } from './audit-trail.ts'
import { ChainStore } from './chain-store.ts'
import { ChainWriter } from './chain-writer.ts'
import type { DigestTarget } from './copied-digests.ts'
import type { DigestSigningKey } from './digest-signing-key.ts'
import type { DigestLimits } from './digests.ts'
import { EntryStore } from './entry-store.ts'
import { findRemovable } from './expired-entries.ts'
import { FoldedEntries, type Unchanged } from './folded-entries.ts'

export interface AuditLimits extends DigestLimits {
  /** How often new entries are chained. */
  readonly chainMs: number
}

export const auditLimits: AuditLimits = { chainMs: 1000, digestMs: 3_600_000, digestEntries: 10_000 }

interface AuditDeps {
  readonly database: Database
  readonly clock: Clock
  readonly log: Log
  readonly sealing: Sealing
  readonly nodeUuid: string
  readonly signingKey: DigestSigningKey
  readonly limits: AuditLimits
  readonly settings: { readonly data: string; readonly auditDays: number }
}

/** So few that with SQLite a page takes milliseconds of the main thread; longer texts stay in memory until a full collection. */
const exportPage = 100

/** The audit trail as other parts of the server use it. */
export class AuditService {
  readonly trail: AuditTrail
  readonly signingKey: DigestSigningKey
  readonly #deps: AuditDeps
  readonly #entries: EntryStore
  readonly #chain: ChainStore
  readonly #folded: FoldedEntries
  #chainWriter: ChainWriter | undefined

  constructor(deps: AuditDeps) {
    this.#deps = deps
    this.signingKey = deps.signingKey
    this.trail = new AuditTrail(deps)
    this.#entries = new EntryStore(deps.database)
    this.#chain = new ChainStore(deps.database)
    this.#folded = new FoldedEntries({ ...deps, state: this.trail.state })
  }

  /** `target` also gets the digests. */
  async start(target?: DigestTarget): Promise<void> {
    const { limits, ...deps } = this.#deps
    await this.#folded.start()
    this.#chainWriter = new ChainWriter({ ...deps, ...limits, target })
    await this.#chainWriter.start()
  }

  async stop(): Promise<void> {
    await this.#folded.stop()
    await this.#chainWriter?.stop()
  }

  /** Records a call that changed nothing; equal ones within a short time are one entry. */
  recordUnchanged(source: AuditSource, unchanged: Unchanged): Promise<void> {
    return this.#folded.record(source, unchanged)
  }

  /** Chains now what is committed, instead of within a second. */
  async chainNow(): Promise<void> {
    await this.#folded.flush()
    // one that was in progress may have read before the last commit
    await this.#chainWriter?.run()
    await this.#chainWriter?.run()
  }

  /** For a reader of the trail, which contains a change as soon as its call is answered. */
  async chainCommitted(): Promise<void> {
    await this.#folded.flush()
    await this.#chainWriter?.chainCommitted()
  }

  /** Why entries cannot be written; tries it when the last attempt failed. */
  async refusal(): Promise<string | undefined> {
    const { state } = this.trail
    if (state.failure !== undefined) await this.#tryToWrite()
    return state.failure && `audit entries cannot be written: ${state.failure.reason}`
  }

  /** Why the trail is behind, although entries are written. */
  warnings(): readonly string[] {
    return this.#chainWriter?.warnings ?? []
  }

  /** Rolled back, so that it leaves no entry. */
  async #tryToWrite(): Promise<void> {
    const undone = new Error('rolled back')
    await this.#deps.database
      .transaction(async (tx) => {
        await this.trail.tryToWrite(tx)
        throw undone
      })
      .catch(() => {})
  }

  /** The chained entries of a period, by default all of them, a page at a time; then those that the chain does not contain. */
  async *export(from?: number, to?: number): AsyncGenerator<AuditRecord[]> {
    await this.chainCommitted()
    const chain = await this.#chain.range()
    const first = from === undefined ? chain.firstSeq : await this.#entries.firstSince(chain, from)
    const last = to === undefined ? chain.lastSeq : await this.#entries.lastBefore(chain, to)
    if (first !== undefined && last !== undefined) yield* this.#pagesBetween(first, last)
    // a reader sees them, so a verifier must report them
    const added = await this.#entries.listOutsideChain(exportPage)
    if (added.length > 0) yield added.map(auditRecord)
  }

  async *#pagesBetween(first: number, last: number): AsyncGenerator<AuditRecord[]> {
    // before all rows with the first number
    let after = { seq: first - 1, id: Number.MAX_SAFE_INTEGER }
    for (;;) {
      const rows = await this.#entries.page(after, last, exportPage)
      const end = rows.at(-1)
      // none is left, also when the retention has removed them meanwhile
      if (end === undefined) return
      yield rows.map(auditRecord)
      after = { seq: Number(end.seq), id: end.id }
    }
  }

  /**
   * Removes the entries that a digest states as expired. The cut is stored first: the batches that follow are not visible in
   * the chain.
   */
  async removeOld(): Promise<void> {
    const { database, clock, settings, signingKey } = this.#deps
    if (settings.auditDays === 0) return
    const lastSeq = await database.transaction(async (tx) => {
      await database.lock(tx, 'audit retention')
      const expired = await findRemovable(tx, { chain: this.#chain, signingKey }, clock.now())
      const before = await this.#chain.cutBefore(tx, expired + 1)
      if (before <= expired) this.trail.collectRemoval(tx, 'AuditEntry', expired - before + 1)
      return expired
    })
    await deleteInBatches(database, (tx, limit) => this.#entries.removeBefore(tx, lastSeq + 1, limit))
  }
}
