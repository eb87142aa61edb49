import { setImmediate as nextTurn } from 'node:timers/promises'
import { auditTextHash, chainStart } from '@wharf/contract'
import type { Database, Tx } from '@wharf/database/database.ts'
import { waitAtMost } from '@wharf/platform/abort.ts'
import { sha256 } from '@wharf/platform/constant-time.ts'
import { newUuid } from '@wharf/platform/ids.ts'
import type { Log } from '@wharf/platform/log.ts'
import { reasonOf } from '@wharf/platform/operator-error.ts'
import { SingleFlight } from '@wharf/platform/single-flight.ts'
import { hashedText, type PendingRow } from './audit-record.ts'
import { type ChainEnd, ChainStore } from './chain-store.ts'
import { Digests, type DigestsDeps } from './digests.ts'
import { EntryStore } from './entry-store.ts'
import { PendingStore } from './pending-store.ts'

/** Another node signs the digests when the one that did is silent for this long. */
const leaseMs = 10_000
/** So many that the entries share most of the pages that their transaction writes. With SQLite changes wait for it, some tens of milliseconds. */
export const chainedAtOnce = 1000
/** With SQLite so few that they take a millisecond before the event loop continues, and stay in the caches of a processor. */
const chainedPerTurn = { sqlite: 50, postgres: chainedAtOnce } as const

/** A reader waits at most this long: the newest entries are missing when they cannot be chained. */
const readerMs = 2000

type Failure = 'audit entries cannot be chained' | 'audit digests cannot be signed'

interface ChainWriterDeps extends DigestsDeps {
  readonly database: Database
  readonly log: Log
  readonly nodeUuid: string
  /** How often new entries are chained. */
  readonly chainMs: number
}

/**
 * Numbers and chains the entries, one node at a time. A pending entry gets its id by the last statement before its commit and
 * its number after it: one that follows another's commit has a larger id and a later number, and one that is committed late
 * gets a number after those that were chained before. So numbers are in commit order, and a chained range never changes.
 * Entries that are not chained in the table of entries are counted calls, and in a rolling upgrade the changes of older nodes.
 */
export class ChainWriter {
  readonly #deps: ChainWriterDeps
  readonly #owner: string
  readonly #entries: EntryStore
  readonly #pending: PendingStore
  readonly #chain: ChainStore
  readonly #digests: Digests
  readonly #chaining = new SingleFlight()
  /** Separate: the target of the digests may hang. */
  readonly #signing = new SingleFlight()
  /** Their reasons, by the last attempts. */
  readonly #failures = new Map<Failure, string>()
  #timer: NodeJS.Timeout | undefined
  #isStopped = false

  constructor(deps: ChainWriterDeps) {
    this.#deps = deps
    this.#owner = `${deps.nodeUuid}:${newUuid()}`
    this.#entries = new EntryStore(deps.database)
    this.#pending = new PendingStore(deps.database)
    this.#chain = new ChainStore(deps.database)
    this.#digests = new Digests(deps)
  }

  async start(): Promise<void> {
    const { database, chainMs } = this.#deps
    await database.transaction((tx) => this.#chain.create(tx, chainStart))
    this.#timer = setInterval(() => void this.run(), chainMs)
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer)
    await this.run()
    this.#isStopped = true
    await this.#deps.database.transaction((tx) => this.#chain.release(tx, this.#owner)).catch(() => {})
  }

  /** Chains what is committed, and signs the digests that are due. */
  async run(): Promise<void> {
    await this.#chainAll()
    const lease = (tx: Tx) => this.#chain.lease(tx, this.#owner, leaseMs)
    await this.#signing.run(() => this.#attempt('audit digests cannot be signed', () => this.#digests.run(lease)))
  }

  /** Why the newest entries are missing from the trail, or digests from the database or their target. */
  get warnings(): string[] {
    const failed = [...this.#failures].map(
      ([failure, reason]) => `${failure}: ${reason}; no entry is lost, and it is retried every second`,
    )
    return [...failed, ...this.#digests.warnings]
  }

  /** Changes that are committed now are chained when this returns, unless that takes too long. */
  async chainCommitted(): Promise<void> {
    await waitAtMost(readerMs, this.#chainPending())
  }

  async #chainPending(): Promise<void> {
    // the first may be a run that started before the last commit
    for (let run = 1; run <= 2 && (await this.#pending.hasEntries()); run++) await this.#chainAll()
  }

  /** Every node does it, whichever one signs: an older one does not know the pending entries. */
  #chainAll(): Promise<void> {
    return this.#chaining.run(() =>
      this.#attempt('audit entries cannot be chained', async () => {
        if (!(await this.#pending.hasEntries()) && !(await this.#entries.hasUnchained())) return
        while (await this.#deps.database.transaction((tx) => this.#chainSome(tx), { isLarge: true })) {}
      }),
    )
  }

  async #attempt(failure: Failure, work: () => Promise<void>): Promise<void> {
    if (this.#isStopped) return
    try {
      await work()
      this.#failures.delete(failure)
    } catch (error) {
      this.#failures.set(failure, reasonOf(error))
      this.#deps.log.warn({ err: error }, `${failure}; it is retried`)
    }
  }

  /** True when there may be more. */
  async #chainSome(tx: Tx): Promise<boolean> {
    const chain = await this.#chain.lock(tx)
    if (chain === undefined) return false
    const perTurn = chainedPerTurn[this.#deps.database.engine]
    let turn: Turn = { lastSeq: chain.lastSeq, lastHash: chain.lastHash, isLast: false }
    for (let chained = 0; !turn.isLast && chained < chainedAtOnce; chained += perTurn) {
      if (chained > 0) await nextTurn()
      turn = await this.#chainTurn(tx, turn, perTurn)
    }
    const { lastSeq, lastHash, isLast } = turn
    if (lastSeq > chain.lastSeq) await this.#chain.extend(tx, { lastSeq, lastHash })
    return !isLast
  }

  async #chainTurn(tx: Tx, { lastSeq, lastHash }: ChainEnd, limit: number): Promise<Turn> {
    // in this order: what a pending change is based on is committed, and found by the second statement
    const pending = await this.#pending.take(tx, limit)
    const counted = await this.#entries.listUnchained(tx, chainedAtOnce)
    const isLast = pending.length < limit && counted.length < chainedAtOnce
    // later ones are merged with the pending ones of the next turn
    const unchained = pending.length < limit ? counted : counted.slice(0, countUntil(counted, pending.at(-1)?.endDate))
    for (const row of mergeByTime<PendingRow>(unchained, pending)) {
      row.seq = ++lastSeq
      lastHash = auditTextHash(lastHash, hashedText(row), sha256)
      row.hash = lastHash
    }
    await this.#entries.chain(tx, unchained)
    await this.#entries.insertChained(tx, pending)
    return { lastSeq, lastHash, isLast }
  }
}

/** The end of the chain after a part of the entries; `isLast` when no further ones were found. */
interface Turn extends ChainEnd {
  readonly isLast: boolean
}

/** How many rows there are before the first later one. */
function countUntil(rows: readonly { readonly endDate: number }[], endDate = Number.POSITIVE_INFINITY): number {
  const later = rows.findIndex((row) => row.endDate > endDate)
  return later < 0 ? rows.length : later
}

/** Keeps the order within each list. */
export function mergeByTime<Row extends { readonly endDate: number }>(
  one: readonly Row[],
  other: readonly Row[],
): Row[] {
  const merged: Row[] = []
  let index = 0
  for (const row of other) {
    for (let next = one[index]; next !== undefined && next.endDate <= row.endDate; next = one[index]) {
      merged.push(next)
      index++
    }
    merged.push(row)
  }
  return [...merged, ...one.slice(index)]
}
