import { statfsSync } from 'node:fs'
import { arch, hostname, release, type as system } from 'node:os'
import type { Tx } from '../database/database.ts'
import type { Events } from '../events/events.ts'
import type { Clock } from '../platform/clock.ts'
import { newUuid } from '../platform/ids.ts'
import * as store from './store.ts'

export class HostService {
  readonly #events: Events
  readonly #clock: Clock

  constructor(parts: { events: Events; clock: Clock }) {
    this.#events = parts.events
    this.#clock = parts.clock
  }

  /** The machine that a management node runs on is a host from the first start on. */
  async registerThisMachine(tx: Tx, nodeUuid: string): Promise<string> {
    const known = await store.findLocalHost(tx, nodeUuid)
    if (known) return known.uuid
    const now = this.#clock.now()
    const { blocks, bavail, bsize } = statfsSync('/')
    const uuid = newUuid()
    await store.insertHost(tx, {
      uuid,
      name: 'this-node',
      description: 'The machine that this management node runs on',
      driver: 'local',
      address: '127.0.0.1',
      sshPort: null,
      username: null,
      hostKeyFingerprint: null,
      managementNodeUuid: nodeUuid,
      state: 'Enabled',
      status: 'Connected',
      hostName: hostname(),
      sn: null,
      manufacturer: null,
      product: null,
      system: `${system()} ${release()}`,
      architecture: arch(),
      totalCapacity: blocks * bsize,
      availableCapacity: bavail * bsize,
      createDate: now,
      lastOpDate: now,
    })
    await this.#events.record(tx, { type: 'Created', resourceType: 'Host', uuid })
    return uuid
  }
}
