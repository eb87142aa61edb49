import { queryUserTag } from '@wharf/contract'
import type { Wharf } from '@wharf/sdk'

/** The field of the query language, and of the column. */
export const userTagField = '__userTag__'
export const systemTagField = '__systemTag__'

/** A condition has at most 2048 characters; a uuid and a comma take 33. */
const maxUuids = 60
const maxTags = 10_000

/** The user tags of records, by their uuids. */
export async function readTags(
  wharf: Pick<Wharf, 'call'>,
  uuids: readonly string[],
  signal: AbortSignal,
): Promise<ReadonlyMap<string, readonly string[]>> {
  const found = new Map<string, string[]>()
  for (let start = 0; start < uuids.length; start += maxUuids) {
    const q = [`resourceUuid?=${uuids.slice(start, start + maxUuids).join(',')}`]
    const { inventories = [] } = await wharf.call(
      queryUserTag,
      { q, fields: ['resourceUuid', 'tag'], sort: '+createDate', limit: maxTags },
      { signal },
    )
    for (const { resourceUuid = '', tag = '' } of inventories)
      found.set(resourceUuid, [...(found.get(resourceUuid) ?? []), tag])
  }
  return found
}
