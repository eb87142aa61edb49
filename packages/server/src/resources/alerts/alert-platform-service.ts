import { randomInt } from 'node:crypto'
import { ingestionPath, ThirdPartyPlatformInventory } from '@wharf/contract'
import type { Tx } from '@wharf/database/database.ts'
import { notFound } from '@wharf/platform/api-error.ts'
import { newSequentialUuid } from '@wharf/platform/ids.ts'
import type { Sealing } from '@wharf/platform/sealing.ts'
import { updatedField } from '@wharf/platform/updated-field.ts'
import { type RecordDeps, Records } from '../../records/records.ts'
import { defaultTemplate } from './default-template.ts'
import { AlertStore, type PlatformRow } from './store.ts'

export const platformType = 'ThirdPartyPlatform'

/** Where a component sends its alerts to the platform. */
export const ingestionUrl = ({ url }: { readonly url: string }, uuid: string): string =>
  `${url}${ingestionPath.replace('{uuid}', uuid)}`

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

interface AlertPlatformDeps extends RecordDeps {
  readonly sealing: Sealing
}

/** Random, not counted: a platform that reuses the uuid of a deleted one accepts none of its tokens. */
const newTokenVersion = (): number => randomInt(2 ** 48 - 1)

/** The platforms that send alerts. */
export class AlertPlatformService extends Records<PlatformRow> {
  readonly #deps: AlertPlatformDeps
  readonly #store: AlertStore

  constructor(deps: AlertPlatformDeps) {
    super(deps, { inventory: ThirdPartyPlatformInventory, label: 'alert platform' })
    this.#deps = deps
    this.#store = new AlertStore(deps.database)
  }

  create(
    tx: Tx,
    { name, url, resourceUuid = newSequentialUuid(), template, description }: NewPlatform,
  ): Promise<PlatformRow> {
    return this.add(tx, {
      resourceUuid,
      name,
      type: 'Alertmanager',
      url,
      template: template ?? defaultTemplate,
      state: 'Enabled',
      description: description ?? null,
      tokenVersion: newTokenVersion(),
      lastSyncDate: this.clock.now(),
    })
  }

  /** The token that its webhooks must send. Derived, so it is not stored. */
  tokenOf({ uuid, tokenVersion }: Pick<PlatformRow, 'uuid' | 'tokenVersion'>): string {
    return this.#deps.sealing.token('alerts', `${uuid}.${tokenVersion}`)
  }

  async resetToken(tx: Tx, uuid: string): Promise<string> {
    const tokenVersion = newTokenVersion()
    await this.update(tx, uuid, { tokenVersion })
    return this.tokenOf({ uuid, tokenVersion })
  }

  async change(tx: Tx, uuid: string, { stateEvent, clear, ...fields }: PlatformChange): Promise<PlatformRow> {
    const description = updatedField(clear, 'description', fields.description)
    await this.update(tx, uuid, {
      ...Object.fromEntries(Object.entries({ ...fields, description }).filter(([, value]) => value !== undefined)),
      ...(stateEvent === undefined ? {} : ({ state: stateEvent === 'enable' ? 'Enabled' : 'Disabled' } as const)),
    })
    return this.get(uuid, tx)
  }

  /** Without an event: no client waits for the time of the last webhook. */
  async recordReceipt(tx: Tx, uuid: string): Promise<void> {
    await this.write(tx, uuid, { lastSyncDate: this.clock.now() })
  }

  /** The first alert that started to fire at this time or later. Alertmanager may send times in whole seconds. */
  findAlertSince(tx: Tx, platformUuids: readonly string[], time: number): Promise<{ name: string } | undefined> {
    return this.#store.findStartedSince(tx, platformUuids, Math.floor(time / 1000) * 1000)
  }

  /** Throws when one of these platforms does not exist. */
  async refuseMissing(tx: Tx, uuids: readonly string[]): Promise<void> {
    if (uuids.length === 0) return
    const found = new Set((await this.#store.listPlatformUuids(tx, uuids)).map(({ uuid }) => uuid))
    const missing = uuids.find((uuid) => !found.has(uuid))
    if (missing !== undefined) throw notFound(this.label, missing)
  }
}
