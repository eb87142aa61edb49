import type { Tx } from '@wharf/database/database.ts'
import type { Tables } from '@wharf/database/tables.ts'
import type { Insertable, Selectable } from 'kysely'

export type TagRow = Selectable<Tables['tags']>

/** False when the name or the uuid is taken. */
export async function insertTag(tx: Tx, row: TagRow): Promise<boolean> {
  const done = await tx
    .insertInto('tags')
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .returning('uuid')
    .executeTakeFirst()
  return done !== undefined
}

/** The user tags that were made from it go by their foreign key. */
export async function deleteTag(tx: Tx, uuid: string): Promise<boolean> {
  const { numDeletedRows } = await tx.deleteFrom('tags').where('uuid', '=', uuid).executeTakeFirst()
  return numDeletedRows > 0n
}

export const findTags = (tx: Tx, uuids: readonly string[]): Promise<TagRow[]> =>
  tx.selectFrom('tags').selectAll().where('uuid', 'in', uuids).execute()

export const insertSystemTags = (tx: Tx, rows: Insertable<Tables['systemTags']>[]) =>
  tx.insertInto('systemTags').values(rows).execute()

export const insertUserTags = (tx: Tx, rows: Insertable<Tables['userTags']>[]) =>
  tx.insertInto('userTags').values(rows).execute()

/** By what the tag begins with; compared as text, since a pattern has no place in a tag. */
export async function deleteSystemTags(tx: Tx, resourceUuid: string, beginning: string): Promise<void> {
  await tx
    .deleteFrom('systemTags')
    .where('resourceUuid', '=', resourceUuid)
    .where((eb) => eb(eb.fn('substr', ['tag', eb.lit(1), eb.lit(beginning.length)]), '=', beginning))
    .execute()
}

export async function deleteTagsOf(tx: Tx, resourceUuid: string): Promise<void> {
  await tx.deleteFrom('systemTags').where('resourceUuid', '=', resourceUuid).execute()
  await tx.deleteFrom('userTags').where('resourceUuid', '=', resourceUuid).execute()
}
