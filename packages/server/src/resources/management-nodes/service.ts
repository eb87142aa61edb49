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
/** Five heartbeats missed: the node is given up, and its jobs may go to others. */
const deadAfterMs = 10_000

type OnDeath = (tx: Tx, nodeUuid: string) => Promise<void>

/** The management nodes on this database, and the life of this one. */
export class NodeService {
  readonly uuid: string
  readonly #database: Database
  readonly #events: Events
  readonly #clock: Clock
  readonly #log: Log
  readonly #round = new SingleFlight()
  readonly #onDeath: OnDeath[] = []
  readonly #onReturn: (() => void)[] = []
  #timer: NodeJS.Timeout | undefined
  #lastBeat = Number.NEGATIVE_INFINITY
  readonly #databaseClock: DatabaseClock
  readonly clockCheck: ClockCheck
  /** Why the last heartbeat could not be written. */
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

  /** `url`: where the other nodes reach this one. */
  async register(tx: Tx, url: string): Promise<void> {
    const before = await store.findNode(tx, this.uuid)
    const now = { hostName: hostname(), url, version, status: 'Alive' as const }
    await store.upsertNode(tx, this.#database.engine, { uuid: this.uuid, ...now, createDate: this.#clock.now() })
    const isNews = Object.entries(now).some(([name, value]) => before?.[name as keyof typeof now] !== value)
    if (isNews) await this.#tell(tx, this.uuid)
    if (before?.status === 'Dead') this.#hasReturned(tx)
  }

  async start(url: string): Promise<void> {
    await this.#database.transaction((tx) => this.register(tx, url))
    await this.#beat()
    this.#timer = setInterval(() => void this.#round.run(() => this.#beat()), heartbeatMs)
  }

  stop(): void {
    clearInterval(this.#timer)
  }

  /** Why the database takes no writes, as far as the heartbeats show. After a failed one, another is tried now. */
  async writeRefusal(): Promise<string | undefined> {
    if (this.#failure) await this.#round.run(() => this.#beat())
    return this.#failure && `the database takes no writes: ${this.#failure.message}`
  }

  /** In the transaction that gives a node up: what was that node's is out of reach from then on. */
  onDeath(work: OnDeath): void {
    this.#onDeath.push(work)
  }

  /** When this node had been given up and is there again. */
  onReturn(work: () => void): void {
    this.#onReturn.push(work)
  }

  async find(uuid: string): Promise<{ url: string | null; isAlive: boolean } | undefined> {
    const row = await store.findWithSilence(this.#database.read, this.#database.engine, uuid)
    if (row === undefined) return undefined
    return { url: row.url, isAlive: row.status === 'Alive' && row.now - row.lastOpDate < deadAfterMs }
  }

  async #beat(): Promise<void> {
    try {
      await this.#touch()
      // not before: the heartbeat corrects the measured time, which is off after a pause of this machine
      this.clockCheck.report()
      this.#failure = undefined
      // whoever was away, or found the database away, has not heard the others either: those get the time to speak
      const isSteady = performance.now() - this.#lastBeat < 2 * heartbeatMs
      this.#lastBeat = performance.now()
      if (isSteady) await this.#judgeOthers()
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
      await this.#tell(tx, this.uuid)
      this.#hasReturned(tx)
    }
    // behind many calls it would come too late, and a busy node would be taken for a dead one
    await this.#database.transaction(touch, { isUrgent: true })
  }

  async #judgeOthers(): Promise<void> {
    await this.#database.transaction(async (tx) => {
      for (const { uuid } of await store.markDead(tx, this.#database.engine, deadAfterMs)) {
        await this.#tell(tx, uuid)
        for (const work of this.#onDeath) await work(tx, uuid)
      }
    })
  }

  #hasReturned(tx: Tx): void {
    afterCommit(tx, () => {
      for (const work of this.#onReturn) work()
    })
  }

  #tell(tx: Tx, uuid: string): Promise<void> {
    return this.#events.record(tx, { type: 'Updated', resourceType: 'ManagementNode', uuid })
  }
}
