import { hash } from 'node:crypto'
import { auditHash, chainStart } from '@wharf/contract'
import type { Database, Tx } from '@wharf/database/database.ts'
import { newUuid } from '@wharf/platform/ids.ts'
import type { Log } from '@wharf/platform/log.ts'
import { SingleFlight } from '@wharf/platform/single-flight.ts'
import { hashedRecord } from './audit-record.ts'
import { ChainStore } from './chain-store.ts'
import { Digests, type DigestsDeps, type LeaseChain } from './digests.ts'
import { EntryStore } from './entry-store.ts'
import { PendingStore } from './pending-store.ts'

/** Another node continues when the one that chains them is silent for this long. */
const leaseMs = 10_000
/** So few that their transaction takes some ten milliseconds with SQLite, and so many that they share most of the pages that it writes. */
const chainedAtOnce = 250

const sha256 = (text: string): string => hash('sha256', text)

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
 * Calls that are counted are in the table of entries already, and are numbered when their time is over.
 */
export class ChainWriter {
  readonly #deps: ChainWriterDeps
  readonly #owner: string
  readonly #entries: EntryStore
  readonly #pending: PendingStore
  readonly #chain: ChainStore
  readonly #digests: Digests
  readonly #chaining = new SingleFlight()
  readonly #chainingForReaders = new SingleFlight()
  /** Separate: the target of the digests may hang. */
  readonly #signing = new SingleFlight()
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
    const lease: LeaseChain = (tx) => this.#chain.lease(tx, this.#owner, leaseMs)
    await this.#chaining.run(() => this.#chainAll(lease))
    await this.#signing.run(() => this.#attempt(() => this.#digests.run(lease)))
  }

  /** For a reader: what is committed now is chained when this returns, also while another node has the lease. */
  async runForReader(): Promise<void> {
    // the first may be a run that had begun before the last commit
    for (let run = 1; run <= 2 && (await this.#pending.hasSome()); run++)
      await this.#chainingForReaders.run(() => this.#chainAll((tx) => this.#chain.lock(tx)))
  }

  #chainAll(lease: LeaseChain): Promise<void> {
    return this.#attempt(async () => {
      if (!(await this.#pending.hasSome()) && !(await this.#entries.hasUnchained())) return
      while (await this.#deps.database.transaction((tx) => this.#chainSome(tx, lease))) {}
    })
  }

  async #attempt(work: () => Promise<void>): Promise<void> {
    if (this.#isStopped) return
    try {
      await work()
    } catch (error) {
      this.#deps.log.warn({ err: error }, 'audit entries are chained later')
    }
  }

  /** True when there may be more. */
  async #chainSome(tx: Tx, lease: LeaseChain): Promise<boolean> {
    const chain = await lease(tx)
    if (chain === undefined) return false
    const counted = await this.#entries.listUnchained(tx, chainedAtOnce)
    const pending = await this.#pending.take(tx, chainedAtOnce)
    if (counted.length + pending.length === 0) return false
    let { lastSeq, lastHash } = chain
    for (const row of [...counted, ...pending]) {
      row.seq = ++lastSeq
      lastHash = auditHash(lastHash, hashedRecord(row), sha256)
      row.hash = lastHash
    }
    await this.#entries.chain(tx, counted)
    await this.#entries.insertChained(tx, pending)
    await this.#chain.extend(tx, { lastSeq, lastHash })
    return Math.max(counted.length, pending.length) === chainedAtOnce
  }
}
