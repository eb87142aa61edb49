import { hash } from 'node:crypto'
import type { Database } from '@wharf/database/database.ts'
import type { Clock } from '@wharf/platform/clock.ts'
import { shareOf } from '@wharf/platform/ids.ts'
import { SingleFlight } from '@wharf/platform/single-flight.ts'
import { NodeStore } from '../management-nodes/service.ts'
import type { HostDriver } from './driver.ts'
import type { HostDrivers } from './drivers.ts'
import type { HostRow, HostStore } from './store.ts'

/** A probe starts programs on both sides, so their number is limited. */
const maxConcurrentProbes = 16
/** A connected host is probed this often, for its capacity and because it must still run programs. */
const connectedProbeMs = 300_000

interface HostProbeScheduleDeps {
  readonly database: Database
  readonly clock: Clock
  readonly nodeUuid: string
  readonly store: HostStore
  readonly drivers: HostDrivers
  readonly probe: (host: HostRow) => Promise<unknown>
}

/**
 * Probes the hosts that this node is responsible for. A host with an open connection is skipped, because ssh detects
 * when it stops answering. So a round over a thousand hosts costs little more than reading their records.
 */
export class HostProbeSchedule {
  /** How long the last round took; undefined before the end of the first. */
  lastRoundSeconds: number | undefined
  readonly #deps: HostProbeScheduleDeps
  readonly #round = new SingleFlight()
  readonly #nextProbeAt = new WeakMap<HostDriver, number>()

  constructor(deps: HostProbeScheduleDeps) {
    this.#deps = deps
  }

  /** Probes every host of this node that is due. */
  run(): Promise<void> {
    return this.#round.run(async () => {
      const startedAt = performance.now()
      const hosts = await this.#assigned()
      const worker = async (): Promise<void> => {
        for (let host = hosts.pop(); host; host = hosts.pop()) await this.#probeIfDue(host)
      }
      await Promise.all(Array.from({ length: maxConcurrentProbes }, worker))
      this.lastRoundSeconds = (performance.now() - startedAt) / 1000
    })
  }

  /** The nodes that are alive share the hosts. */
  async #assigned(): Promise<HostRow[]> {
    const { database, store, nodeUuid } = this.#deps
    const hosts = await store.listProbeable(nodeUuid)
    const alive = (await new NodeStore(database).list()).filter(({ status }) => status === 'Alive')
    const nodes = [...new Set([nodeUuid, ...alive.map(({ uuid }) => uuid)])]
    return hosts.filter(({ driver, uuid }) => driver === 'local' || assignedNode(uuid, nodes) === nodeUuid)
  }

  async #probeIfDue(host: HostRow): Promise<void> {
    const now = this.#deps.clock.now()
    // a failure to open the driver is reported by the probe
    const driver = await this.#deps.drivers.of(host).catch(() => undefined)
    const isOpen = host.status === 'Connected' && driver?.isConnected
    if (isOpen && now < (this.#nextProbeAt.get(driver) ?? 0)) return
    await this.#deps.probe(host)
    // spread, because all may have connected in the same minute
    if (driver) this.#nextProbeAt.set(driver, now + connectedProbeMs * (0.5 + 0.5 * shareOf(host.uuid)))
  }
}

/** The node that probes a host. When a node joins or leaves, only its own share moves. */
export function assignedNode(hostUuid: string, nodes: readonly string[]): string | undefined {
  const weighted = nodes.map((node) => ({ node, weight: hash('sha1', `${hostUuid} ${node}`) }))
  return weighted.sort((a, b) => (a.weight < b.weight ? 1 : -1))[0]?.node
}
