import { type Database, outsideTransaction } from '@wharf/database/database.ts'
import type { Log } from '@wharf/platform/log.ts'
import { SingleFlight } from '@wharf/platform/single-flight.ts'
import type { Candidate } from './candidates.ts'
import { SightingStore } from './store.ts'

const checkMs = 500
/** A flood of announcements must not become a flood of writes. */
const minPauseMs = 2000
const maxChanges = 500
/** Restores rows that were deleted while this node counted as dead. */
const refreshMs = 60_000

interface SharedSightingsDeps {
  readonly database: Database
  readonly log: Log
  readonly nodeUuid: string
  /** Changes when the candidates change. */
  version(): number
  candidates(): readonly Candidate[]
}

/**
 * Publishes the candidates of this node to the other nodes. A row is written when a candidate changes and is valid while
 * its node is alive, so nothing is renewed.
 */
export class SharedSightings {
  readonly #deps: SharedSightingsDeps
  readonly #store: SightingStore
  readonly #writes = new SingleFlight()
  #timer: NodeJS.Timeout | undefined
  #sharedVersion = -1
  #sharedAt = Number.NEGATIVE_INFINITY
  #hasFailed = false

  constructor(deps: SharedSightingsDeps) {
    this.#deps = deps
    this.#store = new SightingStore(deps.database)
  }

  start(): void {
    this.#timer = outsideTransaction(() => setInterval(() => void this.#shareChanges(), checkMs))
  }

  stop(): void {
    clearInterval(this.#timer)
  }

  async candidatesOfOthers(): Promise<Candidate[]> {
    const rows = await this.#store.listOfOthers(this.#deps.nodeUuid)
    return rows.map(({ candidate }) => JSON.parse(candidate) as Candidate)
  }

  async #shareChanges(): Promise<void> {
    const age = performance.now() - this.#sharedAt
    const isChanged = this.#deps.version() !== this.#sharedVersion
    if (age < minPauseMs || (!isChanged && age < refreshMs)) return
    try {
      await this.share()
      this.#hasFailed = false
    } catch (error) {
      if (!this.#hasFailed)
        this.#deps.log.warn({ err: error }, 'discovered hosts could not be published to the other nodes')
      this.#hasFailed = true
    }
  }

  /** Writes the differences to the rows of this node. */
  share(): Promise<void> {
    return this.#writes.run(() => this.#write())
  }

  async #write(): Promise<void> {
    const { database, nodeUuid, version, candidates } = this.#deps
    const current = version()
    const isRefresh = performance.now() - this.#sharedAt > refreshMs
    this.#sharedAt = performance.now()
    const wanted = new Map(candidates().map((candidate) => [candidate.identity, JSON.stringify(candidate)]))
    const rows = await this.#store.listOf(nodeUuid)
    const written = new Map(rows.map(({ identity, candidate }) => [identity, candidate]))
    const removed = [...written.keys()].filter((identity) => !wanted.has(identity))
    const changed = [...wanted].filter(([identity, candidate]) => written.get(identity) !== candidate)
    if (removed.length + changed.length > 0 || isRefresh)
      await database.transaction(async (tx) => {
        await this.#store.delete(tx, nodeUuid, removed)
        const put = changed.slice(0, maxChanges)
        await this.#store.put(
          tx,
          put.map(([identity, candidate]) => ({ managementNodeUuid: nodeUuid, identity, candidate })),
        )
        if (isRefresh) await this.#store.deleteOfLostNodes(tx)
      })
    // the rest is written in the next round
    if (changed.length <= maxChanges) this.#sharedVersion = current
  }
}
