import { hostname } from 'node:os'
import { afterCommit, type Database, type Tx } from '@wharf/database/database.ts'
import type { DatabaseClock } from '@wharf/database/database-clock.ts'
import type { Clock } from '@wharf/platform/clock.ts'
import type { Log } from '@wharf/platform/log.ts'
import { version } from '@wharf/platform/version.ts'
import { asSystem } from '../../audit/audit-source.ts'
import type { Images, Outbox } from '../../events/outbox.ts'
import { Heartbeat, isAlive } from './heartbeat.ts'
import { NodeStore } from './store.ts'

export { aliveNodes, lostNodes, NodeStore } from './store.ts'

type LostNodeHandler = (tx: Tx, nodeUuid: string) => Promise<void>

interface NodeDeps {
  readonly database: Database
  readonly events: Outbox
  readonly clock: Clock
  readonly databaseClock: DatabaseClock
  readonly log: Log
  readonly nodeUuid: string
}

/** The management nodes on this database. */
export class NodeService {
  readonly uuid: string
  readonly #deps: NodeDeps
  readonly #store: NodeStore
  readonly #onLost: LostNodeHandler[] = []
  readonly #onReturned: (() => void)[] = []
  readonly #heartbeat: Heartbeat

  constructor(deps: NodeDeps) {
    this.#deps = deps
    this.#store = new NodeStore(deps.database)
    this.uuid = deps.nodeUuid
    this.#heartbeat = new Heartbeat({
      ...deps,
      store: this.#store,
      onLost: async (tx, lost) => {
        await this.#publish(tx, lost, { before: { status: 'Alive' }, after: { status: 'Dead' } })
        for (const work of this.#onLost) await work(tx, lost)
      },
      onReturned: async (tx) => {
        await this.#publish(tx, this.uuid, { before: { status: 'Dead' }, after: { status: 'Alive' } })
        this.#notifyReturned(tx)
      },
    })
  }

  get clockCheck() {
    return this.#heartbeat.clockCheck
  }

  /** `url` is the address of this node for the other nodes, `publicUrl` the one for hosts. */
  async register(tx: Tx, url: string, publicUrl: string): Promise<void> {
    const before = await this.#store.find(this.uuid, tx)
    const now = { hostName: hostname(), url, publicUrl, version, status: 'Alive' as const }
    await this.#store.upsert(tx, {
      uuid: this.uuid,
      ...now,
      createDate: this.#deps.clock.now(),
    })
    const isChanged = Object.entries(now).some(([name, value]) => before?.[name as keyof typeof now] !== value)
    if (isChanged) await this.#publish(tx, this.uuid, { before: before ? { ...before } : null, after: now })
    if (before?.status === 'Dead') this.#notifyReturned(tx)
  }

  async start(url: string, publicUrl: string): Promise<void> {
    const { database } = this.#deps
    await asSystem('JoinNode', () => database.transaction((tx) => this.register(tx, url, publicUrl)))
    await this.#heartbeat.start()
  }

  stop(): void {
    this.#heartbeat.stop()
  }

  /** Why the database accepts no writes, by the last heartbeat. */
  writeRefusal(): Promise<string | undefined> {
    return this.#heartbeat.writeRefusal()
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
    const row = await this.#store.findWithTime(uuid)
    return row && { url: row.url, isAlive: isAlive(row) }
  }

  #notifyReturned(tx: Tx): void {
    afterCommit(tx, () => {
      for (const work of this.#onReturned) work()
    })
  }

  #publish(tx: Tx, uuid: string, images: Images): Promise<void> {
    return this.#deps.events.record(tx, { type: 'Updated', resourceType: 'ManagementNode', uuid, ...images })
  }
}
