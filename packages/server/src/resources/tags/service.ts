import { configTagPatterns, TagInventory } from '@wharf/contract'
import type { Tx } from '@wharf/database/database.ts'
import { ApiError, notFound } from '@wharf/platform/api-error.ts'
import { newUuid } from '@wharf/platform/ids.ts'
import { type RecordDeps, Records } from '../../records/records.ts'
import { type TagRow, TagStore } from './store.ts'

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

export class TagService extends Records<TagRow> {
  readonly #store = new TagStore()

  constructor(deps: RecordDeps) {
    super(deps, { inventory: TagInventory })
  }

  create(tx: Tx, tag: { name: string; color?: string | null; resourceUuid?: string }): Promise<TagRow> {
    const nameTaken = new ApiError('SYS.1002', `a tag with the name ${tag.name} exists already`)
    return this.add(tx, { color: null, ...tag }, nameTaken)
  }

  /** The database removes the user tags that were created from it by their foreign key. */
  override async remove(tx: Tx, uuid: string): Promise<void> {
    await super.remove(tx, uuid)
    await this.#store.deleteAllOf(tx, uuid)
  }

  /** In the transaction that creates the resource: its tags, and those it names by uuid. */
  async attach(tx: Tx, { resourceUuid, resourceType, tags, added = [], tagUuids = [] }: Tagged): Promise<void> {
    const now = this.clock.now()
    const attached = (tag: string) => ({
      uuid: newUuid(),
      resourceUuid,
      resourceType,
      tag,
      createDate: now,
      lastOpDate: now,
    })
    const system = [...tags.system.filter((tag) => !isConfiguration(tag)), ...added]
    if (system.length > 0) await this.#store.insertSystemTags(tx, system.map(attached))
    const named = await this.#named(tx, [...new Set(tagUuids)])
    const user = [
      ...tags.user.map((tag) => ({ ...attached(tag), tagUuid: null })),
      ...named.map(({ name, uuid }) => ({ ...attached(name), tagUuid: uuid })),
    ]
    if (user.length > 0) await this.#store.insertUserTags(tx, user)
  }

  async #named(tx: Tx, uuids: readonly string[]): Promise<TagRow[]> {
    if (uuids.length === 0) return []
    const found = await this.#store.list(tx, uuids)
    const missing = uuids.find((uuid) => !found.some((tag) => tag.uuid === uuid))
    if (missing !== undefined) throw notFound('tag', missing)
    return found
  }

  /** The resource has one system tag of this pattern: an older one is removed. */
  async replace(
    tx: Tx,
    tag: { resourceUuid: string; resourceType: string; pattern: string; value: string },
  ): Promise<void> {
    const { resourceUuid, resourceType, pattern, value } = tag
    await this.detach(tx, resourceUuid, pattern)
    const added = [`${pattern}::${value}`]
    await this.attach(tx, { resourceUuid, resourceType, tags: { system: [], user: [] }, added })
  }

  detach(tx: Tx, resourceUuid: string, pattern: string): Promise<void> {
    return this.#store.deleteSystemTags(tx, resourceUuid, `${pattern}::`)
  }

  /** When the resource is removed. */
  detachAll(tx: Tx, resourceUuid: string): Promise<void> {
    return this.#store.deleteAllOf(tx, resourceUuid)
  }
}
