import { type Database, outsideTransaction } from '@wharf/database/database.ts'
import type { Log } from '@wharf/platform/log.ts'
import { SingleFlight } from '@wharf/platform/single-flight.ts'
import type { Candidate } from './candidates.ts'
import * as store from './store.ts'

const lookMs = 500
/** Others may learn a little later what comes and goes; a flood of it must not become a flood of writes. */
const leastPauseMs = 2000
const maxChanges = 500
/** Rows that were lost, because this node had been given up, are written again. */
const refreshMs = 60_000

interface Parts {
  readonly database: Database
  readonly log: Log
  readonly nodeUuid: string
  /** Another number when there is something to tell. */
  version(): number
  candidates(): readonly Candidate[]
}

/**
 * Tells the other nodes what this one sees. A row is written when something changes and holds as long as its node is
 * alive, so there is nothing to renew.
 */
export class Sharing {
  readonly #parts: Parts
  readonly #round = new SingleFlight()
  #timer: NodeJS.Timeout | undefined
  #sharedVersion = -1
  #sharedAt = Number.NEGATIVE_INFINITY
  #isTroubled = false

  constructor(parts: Parts) {
    this.#parts = parts
  }

  start(): void {
    this.#timer = outsideTransaction(() => setInterval(() => void this.#look(), lookMs))
  }

  stop(): void {
    clearInterval(this.#timer)
  }

  async othersSee(): Promise<Candidate[]> {
    const rows = await store.sightingsOfOthers(this.#parts.database.read, this.#parts.nodeUuid)
    return rows.map(({ candidate }) => JSON.parse(candidate) as Candidate)
  }

  async #look(): Promise<void> {
    const age = performance.now() - this.#sharedAt
    const isChanged = this.#parts.version() !== this.#sharedVersion
    if (age < leastPauseMs || (!isChanged && age < refreshMs)) return
    try {
      await this.share()
      this.#isTroubled = false
    } catch (error) {
      if (!this.#isTroubled)
        this.#parts.log.warn({ err: error }, 'the other nodes could not be told of discovered hosts')
      this.#isTroubled = true
    }
  }

  /** Makes the rows of this node say what it sees. */
  share(): Promise<void> {
    return this.#round.run(() => this.#write())
  }

  async #write(): Promise<void> {
    const { database, nodeUuid, version, candidates } = this.#parts
    const current = version()
    const isRefresh = performance.now() - this.#sharedAt > refreshMs
    this.#sharedAt = performance.now()
    const wanted = new Map(candidates().map((candidate) => [candidate.identity, JSON.stringify(candidate)]))
    const rows = await store.sightingsOf(database.read, nodeUuid)
    const written = new Map(rows.map(({ identity, candidate }) => [identity, candidate]))
    const gone = [...written.keys()].filter((identity) => !wanted.has(identity))
    const changed = [...wanted].filter(([identity, candidate]) => written.get(identity) !== candidate)
    if (gone.length + changed.length > 0 || isRefresh)
      await database.transaction(async (tx) => {
        await store.deleteSightings(tx, nodeUuid, gone)
        const put = changed.slice(0, maxChanges)
        await store.putSightings(
          tx,
          put.map(([identity, candidate]) => ({ managementNodeUuid: nodeUuid, identity, candidate })),
        )
        if (isRefresh) await store.deleteSightingsOfTheDead(tx)
      })
    // what did not fit is for the next round
    if (changed.length <= maxChanges) this.#sharedVersion = current
  }
}
