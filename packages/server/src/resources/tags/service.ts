import { configTagPatterns, type Role, TagInventory } from '@wharf/contract'
import type { Tx } from '@wharf/database/database.ts'
import type { ResourceType } from '@wharf/database/tables.ts'
import { ApiError, notFound } from '@wharf/platform/api-error.ts'
import { newSequentialUuid } from '@wharf/platform/ids.ts'
import { type RecordDeps, Records } from '../../records/records.ts'
import { type TagRow, TagStore, type UserTagRow } from './store.ts'
import { requireTaggable, requireUntagging } from './tagged-records.ts'

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

/** As many as a create can be sent with. */
const maxUserTags = 100

/** No tag is attached to a record while it is deleted, and none twice. */
const lockOf = (resourceUuid: string): string => `tags of ${resourceUuid}`

export class TagService extends Records<TagRow> {
  readonly #store = new TagStore()

  constructor(deps: RecordDeps) {
    super(deps, { inventory: TagInventory })
  }

  create(tx: Tx, tag: { name: string; color?: string | null; resourceUuid?: string }): Promise<TagRow> {
    const nameTaken = (): ApiError =>
      new ApiError(
        'SYS.1002',
        `a tag with the name ${tag.name} already exists; attach that one, or choose another name`,
      )
    return this.add(tx, { color: null, ...tag }, nameTaken)
  }

  /** The database removes the user tags that were created from it by their foreign key. */
  override async remove(tx: Tx, uuid: string): Promise<void> {
    await super.remove(tx, uuid)
    await this.detachAll(tx, uuid)
  }

  /** In the transaction that creates the resource: its tags, and those it names by uuid. */
  async attach(tx: Tx, { resourceUuid, resourceType, tags, added = [], tagUuids = [] }: Tagged): Promise<void> {
    const now = this.clock.now()
    const attached = (tag: string) => ({
      uuid: newSequentialUuid(),
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
    this.#collectAttached(tx, { resourceUuid, resourceType }, { system, user: user.map(({ tag }) => tag) })
  }

  /** The audit entry of the record that is created shows its tags; the address of an upload is a secret. */
  #collectAttached(
    tx: Tx,
    { resourceUuid: uuid, resourceType }: Pick<Tagged, 'resourceUuid' | 'resourceType'>,
    { system, user }: Tagged['tags'],
  ): void {
    const systemTags = system.filter((tag) => !tag.startsWith('uploadUrl::'))
    if (systemTags.length + user.length === 0) return
    const after = { ...(systemTags.length > 0 && { systemTags }), ...(user.length > 0 && { userTags: user }) }
    this.events.collect(tx, [{ type: 'Updated', resourceType: resourceType as ResourceType, uuid, before: {}, after }])
  }

  /** Attaches a text, or the tag of that name, to a record that exists; a record that has it already keeps it. */
  async attachUserTag(
    tx: Tx,
    { resourceUuid, resourceType, tag }: { resourceUuid: string; resourceType: string; tag: string },
    { role }: { role: Role },
  ): Promise<UserTagRow> {
    await this.database.lock(tx, lockOf(resourceUuid))
    await requireTaggable(tx, { resourceUuid, resourceType }, role)
    const existing = await this.#store.listUserTags(tx, resourceUuid)
    const same = existing.find((one) => one.tag === tag && one.resourceType === resourceType)
    if (same) return same
    if (existing.length >= maxUserTags)
      throw new ApiError(
        'SYS.1006',
        `the record has ${existing.length} user tags, and ${maxUserTags} are the most; remove one first`,
      )
    const now = this.clock.now()
    const uuid = newSequentialUuid()
    const { uuid: tagUuid = null } = (await this.#store.findNamed(tx, tag)) ?? {}
    const row = { uuid, resourceUuid, resourceType, tag, tagUuid, createDate: now, lastOpDate: now }
    await this.#store.insertUserTags(tx, [row])
    await this.publish(tx, 'Created', uuid, { isRoutine: true })
    this.#collectUserTags(tx, row, existing, [...existing, row])
    return row
  }

  async removeUserTag(tx: Tx, uuid: string, { role }: { role: Role }): Promise<void> {
    const row = await this.#store.findUserTag(tx, uuid)
    if (row === undefined) throw notFound('user tag', uuid)
    requireUntagging(row, role)
    const existing = await this.#store.listUserTags(tx, row.resourceUuid)
    const hostLabels = await this.events.hostLabelsOf(tx, this.resourceType, uuid)
    await this.#store.deleteUserTag(tx, uuid)
    await this.publish(tx, 'Deleted', uuid, { isRoutine: true, hostLabels })
    const others = existing.filter((one) => one.uuid !== uuid)
    this.#collectUserTags(tx, row, existing, others)
  }

  /** A change of the record that has the tag. */
  #collectUserTags(
    tx: Tx,
    { resourceUuid: uuid, resourceType }: UserTagRow,
    before: readonly UserTagRow[],
    after: readonly UserTagRow[],
  ): void {
    const tagsOf = (rows: readonly UserTagRow[]) => ({ userTags: rows.map(({ tag }) => tag) })
    const images = { before: tagsOf(before), after: tagsOf(after) }
    this.events.collect(tx, [{ type: 'Updated', resourceType: resourceType as ResourceType, uuid, ...images }])
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
  async detachAll(tx: Tx, resourceUuid: string): Promise<void> {
    await this.database.lock(tx, lockOf(resourceUuid))
    await this.#store.deleteAllOf(tx, resourceUuid)
  }
}
