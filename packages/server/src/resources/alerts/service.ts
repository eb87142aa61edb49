import { randomInt } from 'node:crypto'
import { ingestionPath } from '@wharf/contract'
import type { Database, Tx } from '@wharf/database/database.ts'
import { deleteInBatches } from '@wharf/database/delete-in-batches.ts'
import { ApiError, notFound } from '@wharf/platform/api-error.ts'
import type { Clock } from '@wharf/platform/clock.ts'
import { newUuid } from '@wharf/platform/ids.ts'
import type { Sealing } from '@wharf/platform/sealing.ts'
import { updatedField } from '@wharf/platform/updated-field.ts'
import type { Events } from '../../events/events.ts'
import { defaultTemplate } from './default-template.ts'
import * as store from './store.ts'

export const resourceType = 'ThirdPartyPlatform'

/** Where a component sends its alerts to the platform. */
export const ingestionUrl = ({ url }: { readonly url: string }, uuid: string): string =>
  `${url}${ingestionPath.replace('{uuid}', uuid)}`

export type PlatformRow = store.PlatformRow

export interface NewPlatform {
  name: string
  /** The address that receives its alerts. */
  url: string
  resourceUuid?: string | undefined
  /** One that was checked; the default template when absent. */
  template?: string | undefined
  description?: string | undefined
}

export interface PlatformChange {
  name?: string | undefined
  /** One that was checked. */
  template?: string | undefined
  description?: string | undefined
  stateEvent?: 'enable' | 'disable' | undefined
  clear?: readonly 'description'[]
}

interface Deps {
  database: Database
  events: Events
  clock: Clock
  sealing: Sealing
}

/** Alerts are kept for this long; a longer incident is reported once more. */
const keepAlertsMs = 90 * 86_400_000

/** Random, not counted: a platform that reuses the uuid of a deleted one accepts none of its tokens. */
const newTokenVersion = (): number => randomInt(2 ** 48 - 1)

/** The platforms that send alerts. */
export class AlertPlatformService {
  readonly #database: Database
  readonly #events: Events
  readonly #clock: Clock
  readonly #sealing: Sealing

  constructor({ database, events, clock, sealing }: Deps) {
    this.#database = database
    this.#events = events
    this.#clock = clock
    this.#sealing = sealing
  }

  async create(tx: Tx, { name, url, resourceUuid, template, description }: NewPlatform): Promise<PlatformRow> {
    const now = this.#clock.now()
    const row: PlatformRow = {
      uuid: resourceUuid ?? newUuid(),
      name,
      type: 'Alertmanager',
      url,
      template: template ?? defaultTemplate,
      state: 'Enabled',
      description: description ?? null,
      tokenVersion: newTokenVersion(),
      lastSyncDate: now,
      createDate: now,
      lastOpDate: now,
    }
    if (!(await store.insertPlatform(tx, row)))
      throw new ApiError('SYS.1002', `an alert platform with the uuid ${row.uuid} exists already`)
    await this.#publish(tx, 'Created', row.uuid)
    return row
  }

  async get(uuid: string, from: Tx | undefined = undefined): Promise<PlatformRow> {
    const row = await this.find(uuid, from)
    if (row === undefined) throw notFound('alert platform', uuid)
    return row
  }

  find(uuid: string, from: Tx | undefined = undefined): Promise<PlatformRow | undefined> {
    return store.findPlatform(from ?? this.#database.read, uuid)
  }

  /** The token that its webhooks must send. Derived, so it is not stored. */
  tokenOf({ uuid, tokenVersion }: Pick<PlatformRow, 'uuid' | 'tokenVersion'>): string {
    return this.#sealing.token('alerts', `${uuid}.${tokenVersion}`)
  }

  async resetToken(tx: Tx, uuid: string): Promise<string> {
    const change = { tokenVersion: newTokenVersion(), lastOpDate: this.#clock.now() }
    if (!(await store.updatePlatform(tx, uuid, change))) throw notFound('alert platform', uuid)
    const token = this.tokenOf(await this.get(uuid, tx))
    await this.#publish(tx, 'Updated', uuid)
    return token
  }

  async update(tx: Tx, uuid: string, { stateEvent, clear, ...change }: PlatformChange): Promise<PlatformRow> {
    const description = updatedField(clear, 'description', change.description)
    const changed = {
      ...Object.fromEntries(Object.entries({ ...change, description }).filter(([, value]) => value !== undefined)),
      ...(stateEvent === undefined ? {} : ({ state: stateEvent === 'enable' ? 'Enabled' : 'Disabled' } as const)),
      lastOpDate: this.#clock.now(),
    }
    if (!(await store.updatePlatform(tx, uuid, changed))) throw notFound('alert platform', uuid)
    await this.#publish(tx, 'Updated', uuid)
    return this.get(uuid, tx)
  }

  /** Without an event: no client waits for the time of the last webhook. */
  async recordReceipt(tx: Tx, uuid: string): Promise<void> {
    await store.updatePlatform(tx, uuid, { lastSyncDate: this.#clock.now() })
  }

  async delete(tx: Tx, uuid: string): Promise<void> {
    if (!(await store.deletePlatform(tx, uuid))) throw notFound('alert platform', uuid)
    await this.#publish(tx, 'Deleted', uuid)
  }

  /** Throws when one of these platforms does not exist. */
  async refuseMissing(tx: Tx, uuids: readonly string[]): Promise<void> {
    if (uuids.length === 0) return
    const found = new Set((await store.findPlatformUuids(tx, uuids)).map(({ uuid }) => uuid))
    const missing = uuids.find((uuid) => !found.has(uuid))
    if (missing !== undefined) throw notFound('alert platform', missing)
  }

  async removeOldAlerts(): Promise<void> {
    const date = this.#clock.now() - keepAlertsMs
    await deleteInBatches(this.#database, (tx, limit) => store.deleteAlertsBefore(tx, date, limit))
  }

  #publish(tx: Tx, type: string, uuid: string): Promise<void> {
    return this.#events.record(tx, { type, resourceType, uuid })
  }
}
