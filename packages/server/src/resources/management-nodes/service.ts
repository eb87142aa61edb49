import { hostname } from 'node:os'
import { afterCommit, type Database, type Tx } from '@wharf/database/database.ts'
import type { DatabaseClock } from '@wharf/database/database-clock.ts'
import type { Clock } from '@wharf/platform/clock.ts'
import type { Log } from '@wharf/platform/log.ts'
import { SingleFlight } from '@wharf/platform/single-flight.ts'
import { version } from '@wharf/platform/version.ts'
import type { Events } from '../../events/events.ts'
import { ClockCheck } from './clock-check.ts'
import * as store from './store.ts'

export { aliveNodes, findNode, listHeartbeatAges, listHeartbeats, listNodes, lostNodes } from './store.ts'

const heartbeatMs = 2000
/** After five missed heartbeats a node counts as dead, and other nodes may take its jobs. */
const deadAfterMs = 10_000

type LostNodeHandler = (tx: Tx, nodeUuid: string) => Promise<void>

/** The management nodes on this database, and the heartbeat of this one. */
export class NodeService {
  readonly uuid: string
  readonly #database: Database
  readonly #events: Events
  readonly #clock: Clock
  readonly #log: Log
  readonly #heartbeats = new SingleFlight()
  readonly #onLost: LostNodeHandler[] = []
  readonly #onReturned: (() => void)[] = []
  #timer: NodeJS.Timeout | undefined
  #lastBeat = Number.NEGATIVE_INFINITY
  readonly #databaseClock: DatabaseClock
  readonly clockCheck: ClockCheck
  /** The failure of the last heartbeat. */
  #failure: Error | undefined

  constructor(
    uuid: string,
    parts: { database: Database; events: Events; clock: Clock; databaseClock: DatabaseClock; log: Log },
  ) {
    this.uuid = uuid
    this.#database = parts.database
    this.#events = parts.events
    this.#clock = parts.clock
    this.#log = parts.log
    this.#databaseClock = parts.databaseClock
    this.clockCheck = new ClockCheck(parts.databaseClock, parts.log)
  }

  /** `url` is the address of this node for the other nodes. */
  async register(tx: Tx, url: string): Promise<void> {
    const before = await store.findNode(tx, this.uuid)
    const now = { hostName: hostname(), url, version, status: 'Alive' as const }
    await store.upsertNode(tx, this.#database.engine, { uuid: this.uuid, ...now, createDate: this.#clock.now() })
    const isChanged = Object.entries(now).some(([name, value]) => before?.[name as keyof typeof now] !== value)
    if (isChanged) await this.#publish(tx, this.uuid)
    if (before?.status === 'Dead') this.#notifyReturned(tx)
  }

  async start(url: string): Promise<void> {
    await this.#database.transaction((tx) => this.register(tx, url))
    await this.#writeHeartbeat()
    this.#timer = setInterval(() => void this.#heartbeats.run(() => this.#writeHeartbeat()), heartbeatMs)
  }

  stop(): void {
    clearInterval(this.#timer)
  }

  /** Why the database accepts no writes, by the last heartbeat. After a failed one, tries another. */
  async writeRefusal(): Promise<string | undefined> {
    if (this.#failure) await this.#heartbeats.run(() => this.#writeHeartbeat())
    return this.#failure && `the database takes no writes: ${this.#failure.message}`
  }

  /** Runs in the transaction that marks a node as dead: nobody can reach what is on its machine. */
  onLost(handler: LostNodeHandler): void {
    this.#onLost.push(handler)
  }

  /** Runs when this node had been marked as dead and writes heartbeats again. */
  onReturned(handler: () => void): void {
    this.#onReturned.push(handler)
  }

  async find(uuid: string): Promise<{ url: string | null; isAlive: boolean } | undefined> {
    const row = await store.findNodeAndTime(this.#database.read, this.#database.engine, uuid)
    if (row === undefined) return undefined
    return { url: row.url, isAlive: row.status === 'Alive' && row.now - row.lastOpDate < deadAfterMs }
  }

  async #writeHeartbeat(): Promise<void> {
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
      this.#log.warn({ err: error }, 'the heartbeat of this node could not be written')
    }
  }

  async #touch(): Promise<void> {
    const { engine } = this.#database
    const touch = async (tx: Tx): Promise<void> => {
      const before = await store.findNode(tx, this.uuid)
      const queriedAt = performance.now()
      const touched = await store.touchNode(tx, engine, this.uuid)
      if (touched) this.#databaseClock.correct(touched.lastOpDate, queriedAt, performance.now())
      if (before?.status !== 'Dead') return
      await this.#publish(tx, this.uuid)
      this.#notifyReturned(tx)
    }
    // urgent: behind many calls it would be late, and a busy node would count as dead
    await this.#database.transaction(touch, { isUrgent: true })
  }

  async #markLostNodes(): Promise<void> {
    await this.#database.transaction(async (tx) => {
      for (const { uuid } of await store.markDead(tx, this.#database.engine, deadAfterMs)) {
        await this.#publish(tx, uuid)
        for (const work of this.#onLost) await work(tx, uuid)
      }
    })
  }

  #notifyReturned(tx: Tx): void {
    afterCommit(tx, () => {
      for (const work of this.#onReturned) work()
    })
  }

  #publish(tx: Tx, uuid: string): Promise<void> {
    return this.#events.record(tx, { type: 'Updated', resourceType: 'ManagementNode', uuid })
  }
}
