import { hash } from 'node:crypto'
import type { Database } from '@wharf/database/database.ts'
import type { Clock } from '@wharf/platform/clock.ts'
import { SingleFlight } from '@wharf/platform/single-flight.ts'
import { listNodes } from '../management-nodes/service.ts'
import type { HostDriver } from './driver.ts'
import type { HostDrivers } from './drivers.ts'
import * as store from './store.ts'

/** Every look starts programs, here and there; a thousand hosts must not mean a thousand of them at once. */
const looksAtOnce = 16
/** How full its disks are, and that it can still run programs, is asked of a connected host at least this often. */
const measureMs = 300_000

/**
 * Rounds over the hosts that this node watches. A host whose connection stands needs no question: ssh notices by itself
 * when it falls silent. So a round over a thousand hosts costs little more than reading their records.
 */
export class HostWatch {
  /** How long the last round took; undefined before the end of the first. */
  lastRoundSeconds: number | undefined
  readonly #parts: { database: Database; clock: Clock; nodeUuid: string }
  readonly #drivers: HostDrivers
  readonly #look: (host: store.HostRow) => Promise<unknown>
  readonly #round = new SingleFlight()
  readonly #lookAgainAt = new WeakMap<HostDriver, number>()

  constructor(
    parts: { database: Database; clock: Clock; nodeUuid: string },
    drivers: HostDrivers,
    look: (host: store.HostRow) => Promise<unknown>,
  ) {
    this.#parts = parts
    this.#drivers = drivers
    this.#look = look
  }

  /** Every host that this node watches, once. */
  round(): Promise<void> {
    return this.#round.run(async () => {
      const began = performance.now()
      const hosts = await this.#watched()
      const lane = async (): Promise<void> => {
        for (let host = hosts.pop(); host; host = hosts.pop()) await this.#visit(host)
      }
      await Promise.all(Array.from({ length: looksAtOnce }, lane))
      this.lastRoundSeconds = (performance.now() - began) / 1000
    })
  }

  /** One node is enough for a host: the nodes that are alive share them. */
  async #watched(): Promise<store.HostRow[]> {
    const { database, nodeUuid } = this.#parts
    const hosts = await store.watchableHosts(database.read, nodeUuid)
    const alive = (await listNodes(database.read)).filter(({ status }) => status === 'Alive')
    const nodes = [...new Set([nodeUuid, ...alive.map(({ uuid }) => uuid)])]
    return hosts.filter(({ driver, uuid }) => driver === 'local' || watcherOf(uuid, nodes) === nodeUuid)
  }

  async #visit(host: store.HostRow): Promise<void> {
    const now = this.#parts.clock.now()
    // one that cannot even be opened is for the look to tell of
    const driver = await this.#drivers.of(host).catch(() => undefined)
    const isKnown = host.status === 'Connected' && driver?.isConnected
    if (isKnown && now < (this.#lookAgainAt.get(driver) ?? 0)) return
    await this.#look(host)
    // not all at once, although all were connected in the same minute
    if (driver) this.#lookAgainAt.set(driver, now + measureMs * (0.5 + 0.5 * shareOf(host.uuid)))
  }
}

/** Of these nodes, the one that watches a host. When one comes or goes, only its own share moves. */
export function watcherOf(hostUuid: string, nodes: readonly string[]): string | undefined {
  const weighed = nodes.map((node) => ({ node, weight: hash('sha1', `${hostUuid} ${node}`) }))
  return weighed.sort((a, b) => (a.weight < b.weight ? 1 : -1))[0]?.node
}

/** A number from 0 to 1 that differs from host to host. */
const shareOf = (uuid: string): number => Number.parseInt(uuid.slice(0, 4), 16) / 0x1_00_00 || 0
