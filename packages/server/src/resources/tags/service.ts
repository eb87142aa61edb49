import { configTagPatterns } from '@wharf/contract'
import type { Tx } from '@wharf/database/database.ts'
import { ApiError, notFound } from '@wharf/platform/api-error.ts'
import type { Clock } from '@wharf/platform/clock.ts'
import { newUuid } from '@wharf/platform/ids.ts'
import type { Events } from '../../events/events.ts'
import * as store from './store.ts'

interface Tagged {
  resourceUuid: string
  resourceType: string
  /** As the caller sent them. */
  tags: { readonly system: readonly string[]; readonly user: readonly string[] }
  /** System tags that the server itself adds. */
  added?: readonly string[]
  tagUuids?: readonly string[] | undefined
}

/** A configuration as it was sent may contain passwords, so only the server's own version of it is stored. */
const isConfiguration = (tag: string): boolean => configTagPatterns.some((pattern) => tag.startsWith(`${pattern}::`))

export class TagService {
  readonly #events: Events
  readonly #clock: Clock

  constructor(parts: { events: Events; clock: Clock }) {
    this.#events = parts.events
    this.#clock = parts.clock
  }

  async create(tx: Tx, tag: { name: string; color?: string; resourceUuid?: string }): Promise<store.TagRow> {
    const now = this.#clock.now()
    const { name, color = null, resourceUuid: uuid = newUuid() } = tag
    const row = { uuid, name, color, createDate: now, lastOpDate: now }
    if (!(await store.insertTag(tx, row)))
      throw new ApiError('SYS.1002', `a tag with the name ${name} or this uuid exists already`)
    await this.#events.record(tx, { type: 'Created', resourceType: 'Tag', uuid })
    return row
  }

  async delete(tx: Tx, uuid: string): Promise<void> {
    if (!(await store.deleteTag(tx, uuid))) throw notFound('tag', uuid)
    await store.deleteTagsOf(tx, uuid)
    await this.#events.record(tx, { type: 'Deleted', resourceType: 'Tag', uuid })
  }

  /** In the transaction that creates the resource: its tags, and those it names by uuid. */
  async attach(tx: Tx, { resourceUuid, resourceType, tags, added = [], tagUuids = [] }: Tagged): Promise<void> {
    const now = this.#clock.now()
    const attached = (tag: string) => ({
      uuid: newUuid(),
      resourceUuid,
      resourceType,
      tag,
      createDate: now,
      lastOpDate: now,
    })
    const system = [...tags.system.filter((tag) => !isConfiguration(tag)), ...added]
    if (system.length > 0) await store.insertSystemTags(tx, system.map(attached))
    const named = await this.#named(tx, [...new Set(tagUuids)])
    const user = [
      ...tags.user.map((tag) => ({ ...attached(tag), tagUuid: null })),
      ...named.map(({ name, uuid }) => ({ ...attached(name), tagUuid: uuid })),
    ]
    if (user.length > 0) await store.insertUserTags(tx, user)
  }

  async #named(tx: Tx, uuids: readonly string[]): Promise<store.TagRow[]> {
    if (uuids.length === 0) return []
    const found = await store.findTags(tx, uuids)
    const missing = uuids.find((uuid) => !found.some((tag) => tag.uuid === uuid))
    if (missing !== undefined) throw notFound('tag', missing)
    return found
  }

  /** The one system tag of this pattern that the resource has; an older one goes. */
  async replace(
    tx: Tx,
    tag: { resourceUuid: string; resourceType: string; pattern: string; value: string },
  ): Promise<void> {
    const { resourceUuid, resourceType, pattern, value } = tag
    await this.remove(tx, resourceUuid, pattern)
    const added = [`${pattern}::${value}`]
    await this.attach(tx, { resourceUuid, resourceType, tags: { system: [], user: [] }, added })
  }

  remove(tx: Tx, resourceUuid: string, pattern: string): Promise<void> {
    return store.deleteSystemTags(tx, resourceUuid, `${pattern}::`)
  }

  /** When the resource goes. */
  detachAll(tx: Tx, resourceUuid: string): Promise<void> {
    return store.deleteTagsOf(tx, resourceUuid)
  }
}
