import type { Database, Tx } from '@wharf/database/database.ts'
import type { Clock } from '@wharf/platform/clock.ts'
import { newOrderedUuid } from '@wharf/platform/ids.ts'
import type { Log } from '@wharf/platform/log.ts'
import { SingleFlight } from '@wharf/platform/single-flight.ts'
import { type AuditSource, anonymousActor } from './audit-source.ts'
import { newEntry } from './audit-trail.ts'
import { EntryStore, type NewEntry } from './entry-store.ts'
import { NamedEntryLimit } from './named-entry-limit.ts'
import type { RecordingState } from './not-recorded.ts'
import { PendingStore } from './pending-store.ts'
import { readResourceName } from './resource-names.ts'

/** Equal calls within this time are one entry. */
const foldMs = 10_000
/** Counts are written this often, so that a crash loses at most this much of them. */
const flushMs = 1000
/** With more sources within that time, such as an attack from many addresses, their calls are one entry per operation. */
const maxOpen = 1000
/** With more names or records of one source within that time, or more than `NamedEntryLimit` allows, its calls are one entry per operation. */
const maxNamed = 20

interface OpenEntry {
  readonly entry: NewEntry
  /** Of an entry that counts for the limit of its source. */
  readonly limitedSource: string | undefined
  readonly openUntil: number
  count: number
  endDate: number
  /** How many of them are in the database. */
  written: number
  /** Settles when the first of them is written. */
  readonly inserted: Promise<void>
}

interface FoldedEntriesDeps {
  readonly database: Database
  readonly clock: Clock
  readonly log: Log
  readonly nodeUuid: string
  readonly state: RecordingState
}

/** A call without a change: its result, and the record that it names. */
export type Unchanged = Pick<NewEntry, 'outcome' | 'status' | 'errorCode'> &
  Partial<Pick<NewEntry, 'resourceType' | 'resourceUuid'>>

/** What of a call its entry has, and which calls share it. */
interface Folded {
  readonly key: string
  readonly source: AuditSource
  readonly unchanged: Unchanged
  readonly limitedSource?: string | undefined
}

/**
 * The entries of calls that changed nothing: refused and failed ones, sign-outs of unknown sessions. The first of equal
 * calls is written before its answer is sent, the others are counted in memory and added to its entry, which is chained
 * when its time is over.
 */
export class FoldedEntries {
  readonly #deps: FoldedEntriesDeps
  readonly #store: EntryStore
  readonly #pending: PendingStore
  readonly #open = new Map<string, OpenEntry>()
  /** Their time is over, and their counts are not written yet. */
  readonly #closing = new Set<OpenEntry>()
  readonly #hourly = new NamedEntryLimit()
  readonly #flushing = new SingleFlight()
  #timer: NodeJS.Timeout | undefined

  constructor(deps: FoldedEntriesDeps) {
    this.#deps = deps
    this.#store = new EntryStore(deps.database)
    this.#pending = new PendingStore(deps.database)
  }

  async start(): Promise<void> {
    const { database, nodeUuid } = this.#deps
    await database.transaction((tx) => this.#store.closeOf(tx, nodeUuid))
    this.#timer = setInterval(() => void this.flush(), flushMs)
  }

  /** Writes what was counted. */
  async stop(): Promise<void> {
    clearInterval(this.#timer)
    await this.flush()
    for (const open of this.#open.values()) this.#closing.add(open)
    this.#open.clear()
    await this.flush()
  }

  async record(source: AuditSource, unchanged: Unchanged): Promise<void> {
    const now = this.#deps.clock.now()
    const folded = this.#fold(source, unchanged, now)
    const open = this.#open.get(folded.key)
    if (open !== undefined && now < open.openUntil) {
      open.count++
      open.endDate = now
      return open.inserted
    }
    if (open !== undefined) this.#closing.add(open)
    await this.#begin(folded, now)
  }

  /** The entry that a call belongs to: its own, that of its source or, with too many sources, that of its operation. */
  #fold(source: AuditSource, unchanged: Unchanged, now: number): Folded {
    const { actor, sourceIp, operation, path } = source
    const { outcome, status, errorCode } = unchanged
    const origin = JSON.stringify([actor.credentialUuid ?? actor.userUuid, sourceIp])
    const ofSource = JSON.stringify([origin, operation, outcome, status, errorCode])
    // a failure of a known caller is about one record, however many there are
    const limitedSource = outcome === 'Denied' || actor.userUuid === null ? origin : undefined
    const own = { key: JSON.stringify([ofSource, actor.actorName, path]), source, unchanged, limitedSource }
    if (now < (this.#open.get(own.key)?.openUntil ?? 0)) return own
    const ofSeveral = { ...unchanged, resourceUuid: null }
    if (this.#open.size >= maxOpen)
      return { key: JSON.stringify([operation, outcome]), source: withoutOrigin(source), unchanged: ofSeveral }
    if (limitedSource !== undefined && this.#isAtLimit(limitedSource, now))
      return { key: ofSource, source: withoutName(source), unchanged: ofSeveral }
    return own
  }

  #isAtLimit(source: string, now: number): boolean {
    if (this.#hourly.isReached(source, now)) return true
    let named = 0
    for (const { limitedSource, openUntil } of this.#open.values())
      if (limitedSource === source && now < openUntil && ++named === maxNamed) return true
    return false
  }

  /** In the same tick, so that an equal call that follows finds it. */
  async #begin({ key, source, unchanged, limitedSource }: Folded, endDate: number): Promise<void> {
    const { database, state, nodeUuid } = this.#deps
    const openUntil = endDate + foldMs
    const entry = newEntry(source, { managementNodeUuid: nodeUuid, openUntil, endDate, ...unchanged })
    const inserted = database.transaction((tx) => state.write('auditEntries', () => this.#insert(tx, entry)))
    const open = { entry, limitedSource, openUntil, count: 1, endDate, written: 0, inserted }
    this.#open.set(key, open)
    if (limitedSource !== undefined) this.#hourly.count(limitedSource, endDate)
    try {
      await inserted
      open.written = 1
    } catch (error) {
      if (this.#open.get(key) === open) this.#open.delete(key)
      this.#closing.delete(open)
      throw error
    }
  }

  /** A change knows the name of its record; here it is read. */
  async #insert(tx: Tx, entry: NewEntry): Promise<void> {
    const { resourceType, resourceUuid } = entry
    if (resourceType !== null && resourceUuid !== null)
      entry.resourceName = await readResourceName(tx, resourceType, resourceUuid)
    await this.#store.insertOpen(tx, entry)
  }

  /** Writes the counts, and closes the entries whose time is over. */
  flush(): Promise<void> {
    return this.#flushing.run(() => this.#flush())
  }

  async #flush(): Promise<void> {
    const now = this.#deps.clock.now()
    for (const [key, open] of this.#open) {
      if (now < open.openUntil) continue
      this.#open.delete(key)
      this.#closing.add(open)
    }
    // those that are not inserted yet follow next time
    const changed = [...this.#open.values()].filter(({ count, written }) => written > 0 && count > written)
    const closing = [...this.#closing].filter(({ written }) => written > 0)
    if (changed.length + closing.length === 0) return
    try {
      const counted = await this.#deps.database.transaction(async (tx) => {
        const counts: [OpenEntry, number][] = []
        for (const open of [...changed, ...closing]) {
          counts.push([open, open.count])
          await this.#write(tx, open, this.#closing.has(open))
        }
        return counts
      })
      for (const [open, count] of counted) open.written = count
      for (const open of closing) this.#closing.delete(open)
    } catch (error) {
      this.#deps.log.warn({ err: error }, 'refused calls could not be counted in their audit entries; it is retried')
    }
  }

  async #write(tx: Tx, { entry, count, endDate, written, openUntil }: OpenEntry, isOver: boolean): Promise<void> {
    const change = { count, endDate, openUntil: isOver ? null : openUntil }
    if (await this.#store.addToOpen(tx, entry.uuid, change)) return
    // this node was suspended, and another one has chained the entry
    if (count === written) return
    const rest = { uuid: newOrderedUuid(endDate), count: count - written, endDate, openUntil: null }
    await this.#pending.append(tx, [{ ...entry, ...rest }])
  }
}

/** A known caller keeps its name; that of another one is what was sent. */
const withoutName = (source: AuditSource): AuditSource => ({
  ...source,
  actor: source.actor.userUuid === null ? anonymousActor : source.actor,
  requestId: null,
  path: null,
})

const withoutOrigin = (source: AuditSource): AuditSource => ({
  ...source,
  actor: anonymousActor,
  requestId: null,
  path: null,
  sourceIp: null,
  userAgent: null,
})
