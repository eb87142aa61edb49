import { hostname } from 'node:os'
import type { Database, Tx } from '../database/database.ts'
import type { Events } from '../events/events.ts'
import type { Clock } from '../platform/clock.ts'
import type { Log } from '../platform/log.ts'
import { version } from '../platform/version.ts'
import * as store from './store.ts'

const heartbeatMs = 2000
/** Five heartbeats missed: the node is given up, and its jobs may go to others. */
const deadAfterMs = 10_000

/** The management nodes on this database, and the life of this one. */
export class NodeService {
  readonly uuid: string
  readonly #database: Database
  readonly #events: Events
  readonly #clock: Clock
  readonly #log: Log
  #timer: NodeJS.Timeout | undefined

  constructor(uuid: string, parts: { database: Database; events: Events; clock: Clock; log: Log }) {
    this.uuid = uuid
    this.#database = parts.database
    this.#events = parts.events
    this.#clock = parts.clock
    this.#log = parts.log
  }

  /** `url`: where the other nodes reach this one. */
  async register(tx: Tx, url: string): Promise<void> {
    const now = this.#clock.now()
    const row = { uuid: this.uuid, hostName: hostname(), url, version, status: 'Alive' as const }
    if (await store.upsertNode(tx, { ...row, createDate: now, lastOpDate: now }))
      await this.#events.record(tx, { type: 'Updated', resourceType: 'ManagementNode', uuid: this.uuid })
  }

  async start(url: string): Promise<void> {
    await this.#database.transaction((tx) => this.register(tx, url))
    this.#timer = setInterval(() => this.#beat(), heartbeatMs)
  }

  stop(): void {
    clearInterval(this.#timer)
  }

  async #beat(): Promise<void> {
    try {
      const now = this.#clock.now()
      await this.#database.transaction(async (tx) => {
        await store.touchNode(tx, this.uuid, now)
        for (const { uuid } of await store.markDead(tx, now - deadAfterMs))
          await this.#events.record(tx, { type: 'Updated', resourceType: 'ManagementNode', uuid })
      })
    } catch (error) {
      this.#log.warn({ err: error }, 'the heartbeat of this node could not be written')
    }
  }
}
