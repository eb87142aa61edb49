import type { Database, Tx } from '@wharf/database/database.ts'
import type { DatabaseClock } from '@wharf/database/database-clock.ts'
import type { Log } from '@wharf/platform/log.ts'
import { SingleFlight } from '@wharf/platform/single-flight.ts'
import { asSystem } from '../../audit/audit-source.ts'
import { ClockCheck } from './clock-check.ts'
import type { NodeStore } from './store.ts'

const heartbeatMs = 2000
/** After five missed heartbeats a node counts as dead, and other nodes may take its jobs. */
const deadAfterMs = 10_000

interface HeartbeatDeps {
  readonly database: Database
  readonly store: NodeStore
  readonly databaseClock: DatabaseClock
  readonly log: Log
  readonly nodeUuid: string
  /** In the transaction that marks another node as dead. */
  readonly onLost: (tx: Tx, nodeUuid: string) => Promise<void>
  /** In the transaction of the first heartbeat after this node was marked as dead. */
  readonly onReturned: (tx: Tx) => Promise<void>
}

export const isAlive = (node: { status: string; lastOpDate: number; now: number }): boolean =>
  node.status === 'Alive' && node.now - node.lastOpDate < deadAfterMs

/** Writes the heartbeat of this node, and marks the nodes that stopped writing theirs. */
export class Heartbeat {
  readonly #deps: HeartbeatDeps
  readonly #writes = new SingleFlight()
  readonly clockCheck: ClockCheck
  #timer: NodeJS.Timeout | undefined
  #lastBeat = Number.NEGATIVE_INFINITY
  /** The failure of the last heartbeat. */
  #failure: Error | undefined

  constructor(deps: HeartbeatDeps) {
    this.#deps = deps
    this.clockCheck = new ClockCheck(deps.databaseClock, deps.log)
  }

  async start(): Promise<void> {
    await this.#write()
    this.#timer = setInterval(() => void this.#writes.run(() => this.#write()), heartbeatMs)
  }

  stop(): void {
    clearInterval(this.#timer)
  }

  /** Why the database accepts no writes, by the last heartbeat. After a failed one, tries another. */
  async writeRefusal(): Promise<string | undefined> {
    if (this.#failure) await this.#writes.run(() => this.#write())
    return this.#failure && `the database takes no writes: ${this.#failure.message}`
  }

  async #write(): Promise<void> {
    try {
      await this.#touch()
      // after the heartbeat, which corrects the measured time after a pause of this machine
      this.clockCheck.report()
      this.#failure = undefined
      // after a pause of this node or of the database, the other nodes need time for their heartbeats
      const isUninterrupted = performance.now() - this.#lastBeat < 2 * heartbeatMs
      this.#lastBeat = performance.now()
      if (isUninterrupted) await this.#markLostNodes()
    } catch (error) {
      this.#failure = error as Error
      this.#deps.log.warn({ err: error }, 'the heartbeat of this node could not be written')
    }
  }

  async #touch(): Promise<void> {
    const { database, store, databaseClock, nodeUuid, onReturned } = this.#deps
    const touch = async (tx: Tx): Promise<void> => {
      const before = await store.find(nodeUuid, tx)
      const queriedAt = performance.now()
      const touched = await store.touch(tx, nodeUuid)
      if (touched) databaseClock.correct(touched.lastOpDate, queriedAt, performance.now())
      if (before?.status === 'Dead') await onReturned(tx)
    }
    // urgent: behind many calls it would be late, and a busy node would count as dead
    await asSystem('JoinNode', () => database.transaction(touch, { isUrgent: true }))
  }

  async #markLostNodes(): Promise<void> {
    const { database, store, onLost } = this.#deps
    const markLost = async (tx: Tx): Promise<void> => {
      for (const { uuid } of await store.markDead(tx, deadAfterMs)) await onLost(tx, uuid)
    }
    await asSystem('TakeOver', () => database.transaction(markLost))
  }
}
