import { hash } from 'node:crypto'
import { auditHash, chainStart } from '@wharf/contract'
import type { Database } from '@wharf/database/database.ts'
import { newUuid } from '@wharf/platform/ids.ts'
import type { Log } from '@wharf/platform/log.ts'
import { SingleFlight } from '@wharf/platform/single-flight.ts'
import { auditRecord } from './audit-record.ts'
import { ChainStore } from './chain-store.ts'
import { Digests, type DigestsDeps } from './digests.ts'
import { EntryStore } from './entry-store.ts'

/** Another node continues when the one that chains them is silent for this long. */
const leaseMs = 10_000
/** So few that their transaction takes a few milliseconds with SQLite. */
const chainedAtOnce = 100

const sha256 = (text: string): string => hash('sha256', text)

interface ChainWriterDeps extends DigestsDeps {
  readonly database: Database
  readonly log: Log
  readonly nodeUuid: string
  /** How often new entries are chained. */
  readonly chainMs: number
}

/**
 * Numbers and chains the entries, one node at a time. An entry gets its id by the last statement before its commit and its
 * number after it: one that follows another's commit has a larger id and a later number, and one that is committed late gets
 * a number after those that were chained before. So numbers are in commit order, and a chained range never changes.
 */
export class ChainWriter {
  readonly #deps: ChainWriterDeps
  readonly #owner: string
  readonly #entries: EntryStore
  readonly #chain: ChainStore
  readonly #digests: Digests
  readonly #running = new SingleFlight()
  #timer: NodeJS.Timeout | undefined
  #isStopped = false

  constructor(deps: ChainWriterDeps) {
    this.#deps = deps
    this.#owner = `${deps.nodeUuid}:${newUuid()}`
    this.#entries = new EntryStore(deps.database)
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
  run(): Promise<void> {
    return this.#running.run(() => this.#run())
  }

  async #run(): Promise<void> {
    if (this.#isStopped) return
    try {
      if (await this.#entries.hasUnchained()) while (await this.#chainSome()) {}
      await this.#digests.run((tx) => this.#chain.lease(tx, this.#owner, leaseMs))
    } catch (error) {
      this.#deps.log.warn({ err: error }, 'audit entries are chained later')
    }
  }

  /** True when there may be more. */
  #chainSome(): Promise<boolean> {
    return this.#deps.database.transaction(async (tx) => {
      const chain = await this.#chain.lease(tx, this.#owner, leaseMs)
      if (chain === undefined) return false
      const rows = await this.#entries.listUnchained(tx, chainedAtOnce)
      if (rows.length === 0) return false
      let { lastSeq, lastHash } = chain
      const chained = rows.map(({ id, ...row }) => {
        lastSeq++
        lastHash = auditHash(lastHash, auditRecord({ ...row, seq: lastSeq }), sha256)
        return { id, seq: lastSeq, hash: lastHash }
      })
      await this.#entries.chain(tx, chained)
      await this.#chain.extend(tx, { lastSeq, lastHash })
      return rows.length === chainedAtOnce
    })
  }
}
