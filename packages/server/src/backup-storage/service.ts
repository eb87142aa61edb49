import { mkdirSync, statfsSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import type { Tx } from '../database/database.ts'
import type { Events } from '../events/events.ts'
import type { Clock } from '../platform/clock.ts'
import { newUuid } from '../platform/ids.ts'
import * as store from './store.ts'

export class BackupStorageService {
  readonly #events: Events
  readonly #clock: Clock

  constructor(parts: { events: Events; clock: Clock }) {
    this.#events = parts.events
    this.#clock = parts.clock
  }

  /** A folder of this node is a backup storage from the first start on. */
  async registerFolder(tx: Tx, nodeUuid: string, folder: string): Promise<string> {
    const known = await store.findFolderOf(tx, nodeUuid)
    if (known) return known.uuid
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    const { blocks, bavail, bsize } = statfsSync(folder)
    const now = this.#clock.now()
    const uuid = newUuid()
    await store.insertBackupStorage(tx, {
      uuid,
      name: 'local-folder',
      description: "A folder in this management node's data folder",
      type: 'folder',
      url: pathToFileURL(folder).href,
      managementNodeUuid: nodeUuid,
      state: 'Enabled',
      status: 'Connected',
      totalCapacity: blocks * bsize,
      availableCapacity: bavail * bsize,
      hostKey: null,
      sealedCredentials: null,
      createDate: now,
      lastOpDate: now,
    })
    await this.#events.record(tx, { type: 'Created', resourceType: 'BackupStorage', uuid })
    return uuid
  }
}
