import { setImmediate as nextTurn } from 'node:timers/promises'
import { appendBeforeCommit } from '@wharf/database/append-before-commit.ts'
import { AppendedTable } from '@wharf/database/appended-table.ts'
import { afterCommit, type Database, type Tx } from '@wharf/database/database.ts'
import { deleteInBatches } from '@wharf/database/delete-in-batches.ts'
import { isScopedType, readHostLabels } from '@wharf/database/scoped-reads.ts'
import type { ResourceType } from '@wharf/database/tables.ts'
import { TransactionValue } from '@wharf/database/transaction-value.ts'
import type { Clock } from '@wharf/platform/clock.ts'
import type { Log } from '@wharf/platform/log.ts'
import { CoalescedPoll } from '@wharf/platform/single-flight.ts'
import { withoutSource } from '../audit/audit-source.ts'
import type { AuditTrail } from '../audit/audit-trail.ts'
import type { Image } from '../audit/record-changes.ts'
import { CommitOrder } from './commit-order.ts'

interface ChangeEvent {
  /** Created, Updated, Deleted, or a type that the resource defines. */
  readonly type: string
  readonly resourceType: ResourceType
  readonly uuid: string
  /** Absent: everyone. */
  readonly audience?: string | undefined
  /** Of a deleted record: the labels of its hosts, as JSON. */
  readonly hostLabels?: string | null | undefined
}

/** What the audit entry of a change shows: the record before and after, null where it does not exist. */
export interface Images {
  readonly before: Image | null
  readonly after: Image | null
}

/** A change without an audit entry: the progress of work, a received alert, or another part of a change that has one. */
export interface Routine {
  readonly isRoutine: true
}

export type Change = ChangeEvent & (Images | Routine)

export interface RecordedChange {
  sequence: number
  type: string
  resourceType: ResourceType
  uuid: string
  at: number
  audience: string | null
  hostLabels: string | null
}

/** For events that reach other nodes but no client. */
export const internalAudience = 'internal'

/** How long `Last-Event-ID` can reach back. */
export const replayMs = 3_600_000

const batch = 1000
/** Notifications can be lost with their connection; polling at this interval finds the events of other nodes. */
const pollMs = 300
const gapRetryMs = 20

const rows = new AppendedTable('events', {
  type: 'text',
  resourceType: 'text',
  uuid: 'text',
  audience: 'text',
  hostLabels: 'text',
  at: 'bigint',
})

interface OutboxDeps {
  readonly database: Database
  readonly clock: Clock
  readonly audit: AuditTrail
  readonly log?: Log
}

export class Outbox {
  readonly #deps: OutboxDeps
  readonly #order: CommitOrder | undefined
  readonly #listeners = new Set<(change: RecordedChange) => void>()
  readonly #thisNodeListeners = new Set<(change: Change) => void>()
  readonly #isNotified = new TransactionValue<true>()
  #last = 0
  #readAt = 0
  readonly #poll = new CoalescedPoll(() => withoutSource(() => this.#publishNew()))
  #timer: NodeJS.Timeout | undefined
  #stopListening: () => void = () => {}

  constructor(deps: OutboxDeps) {
    this.#deps = deps
    this.#order = deps.database.engine === 'postgres' ? new CommitOrder() : undefined
  }

  async start(): Promise<void> {
    const newest = await this.newestSequence()
    await this.#order?.waitUntilDecided(this.#deps.database.read)
    this.#last = newest
    this.#readAt = this.#deps.clock.now()
    this.#stopListening = this.#deps.database.onPeerCommit(() => this.#poll.request())
    if (this.#deps.database.engine === 'postgres') this.#timer = setInterval(() => this.#poll.request(), pollMs)
  }

  stop(): void {
    clearInterval(this.#timer)
    this.#stopListening()
    this.#listeners.clear()
    this.#thisNodeListeners.clear()
  }

  /** Writes the event and the audit entry in the transaction of the change, as its last statement. */
  record(tx: Tx, change: Change): Promise<void> {
    return this.recordAll(tx, [change])
  }

  /** Before a record is deleted: the labels of its hosts, for its event. Readers with a scope get the event by them. */
  async hostLabelsOf(tx: Tx, resourceType: ResourceType, uuid: string): Promise<string | null> {
    return isScopedType(resourceType) ? readHostLabels(this.#deps.database, tx, { resourceType, uuid }) : null
  }

  /** The same for the changes of many records in one transaction. */
  async recordAll(tx: Tx, changes: readonly Change[]): Promise<void> {
    if (changes.length === 0) return
    this.collect(tx, changes)
    const at = this.#deps.clock.now()
    appendBeforeCommit(
      this.#deps.database.engine,
      tx,
      rows,
      changes.map(({ type, resourceType, uuid, audience, hostLabels }) => {
        return { type, resourceType, uuid, audience, hostLabels, at }
      }),
    )
    for (const change of changes) afterCommit(tx, () => this.#notify(this.#thisNodeListeners, change))
    if (this.#isNotified.get(tx)) return
    this.#isNotified.set(tx, true)
    this.#deps.database.notifyPeers(tx)
    afterCommit(tx, () => this.#poll.request())
  }

  /** Only for the audit entry: the event of this commit is already recorded. */
  collect(tx: Tx, changes: readonly Change[]): void {
    for (const change of changes) if (!('isRoutine' in change)) this.#deps.audit.collect(tx, change)
  }

  /** Records that were removed because of their age have one audit entry, and no events. */
  collectRemoval(tx: Tx, resourceType: ResourceType, count: number): void {
    this.#deps.audit.collectRemoval(tx, resourceType, count)
  }

  subscribe(listener: (change: RecordedChange) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /**
   * Reports this node's own changes right after the commit, before the response is sent. They are delivered
   * again to `subscribe`, in the order of all nodes.
   */
  subscribeToThisNode(listener: (change: Change) => void): void {
    this.#thisNodeListeners.add(listener)
  }

  /** The time up to which this node has received every event; with one process on the database always now. */
  currentAsOf(): number {
    return this.#deps.database.engine === 'sqlite' ? this.#deps.clock.now() : this.#readAt
  }

  /** The last sequence number that this node has delivered. */
  get lastSequence(): number {
    return this.#last
  }

  /** The last sequence number in the database; this node may not have delivered it yet. */
  async newestSequence(): Promise<number> {
    const newest = await this.#deps.database.read
      .selectFrom('events')
      .select(({ fn }) => fn.max('sequence').as('sequence'))
      .executeTakeFirst()
    return newest?.sequence ?? 0
  }

  /** The next events after `sequence`, oldest first, up to one that was already delivered. */
  async replay(sequence: number, upTo: number): Promise<RecordedChange[]> {
    return this.#deps.database.read
      .selectFrom('events')
      .selectAll()
      .where('sequence', '>', sequence)
      .where('sequence', '<=', upTo)
      .orderBy('sequence')
      .limit(batch)
      .execute()
  }

  /** From the oldest on, up to one that is kept: the order of events is that of their times, as far as clocks agree. */
  async removeOld(): Promise<void> {
    const now = this.#deps.clock.now()
    const limit = now - replayMs
    // one after now is of a clock that was wrong, and does not end the search until its time comes
    const isRecent = ({ at }: { at: number }): boolean => at >= limit && at <= now
    let examined = Number.MIN_SAFE_INTEGER
    await deleteInBatches(this.#deps.database, async (tx, count) => {
      const after = examined
      const next = await tx
        .selectFrom('events')
        .select(['sequence', 'at'])
        .where('sequence', '>', after)
        .orderBy('sequence')
        .limit(count)
        .execute()
      const firstRecent = next.findIndex(isRecent)
      const passed = firstRecent < 0 ? next : next.slice(0, firstRecent)
      const last = passed.at(-1)?.sequence ?? after
      await tx
        .deleteFrom('events')
        .where('sequence', '>', after)
        .where('sequence', '<=', last)
        .where('at', '<', limit)
        .execute()
      // a transaction that is repeated starts where it started before
      afterCommit(tx, () => {
        examined = last
      })
      return passed.length
    })
  }

  /** A listener that throws does not affect the others. */
  #notify<T extends Change | RecordedChange>(listeners: ReadonlySet<(change: T) => void>, change: T): void {
    for (const listener of listeners)
      try {
        listener(change)
      } catch (error) {
        const { type, resourceType, uuid } = change
        this.#deps.log?.error({ err: error, type, resourceType, uuid }, 'a listener of events threw')
      }
  }

  async #publishNew(): Promise<void> {
    // the commits of one turn of the event loop are one read
    await nextTurn()
    try {
      const readAt = this.#deps.clock.now()
      const read = this.#deps.database.read
      await this.#order?.advance(read)
      const rows = await read
        .selectFrom('events')
        .selectAll()
        .where('sequence', '>', this.#last)
        // without it and without statistics, PostgreSQL expects a third of the table and scans all of it
        .where('sequence', '<=', Number.MAX_SAFE_INTEGER)
        .orderBy('sequence')
        .limit(batch)
        .execute()
      const sequences = rows.map((row) => row.sequence)
      const deliverable = (await this.#order?.countDeliverable(read, this.#last, sequences)) ?? rows.length
      for (const row of rows.slice(0, deliverable)) {
        this.#last = row.sequence
        this.#notify(this.#listeners, row)
      }
      if (deliverable < rows.length) setTimeout(() => this.#poll.request(), gapRetryMs).unref()
      else if (rows.length === batch) this.#poll.request()
      else this.#readAt = readAt
    } catch {
      // the database is unavailable: currentAsOf stays behind, and the timer retries
    }
  }
}
