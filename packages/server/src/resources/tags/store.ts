import type { Tx } from '@wharf/database/database.ts'
import type { Tables } from '@wharf/database/tables.ts'
import type { Insertable, Selectable } from 'kysely'

export type TagRow = Selectable<Tables['tags']>

export const findTags = (tx: Tx, uuids: readonly string[]): Promise<TagRow[]> =>
  tx.selectFrom('tags').selectAll().where('uuid', 'in', uuids).execute()

export const insertSystemTags = (tx: Tx, rows: Insertable<Tables['systemTags']>[]) =>
  tx.insertInto('systemTags').values(rows).execute()

export const insertUserTags = (tx: Tx, rows: Insertable<Tables['userTags']>[]) =>
  tx.insertInto('userTags').values(rows).execute()

/** Compared as text: in a LIKE pattern, characters of the prefix could be wildcards. */
export async function deleteSystemTags(tx: Tx, resourceUuid: string, prefix: string): Promise<void> {
  await tx
    .deleteFrom('systemTags')
    .where('resourceUuid', '=', resourceUuid)
    .where((eb) => eb(eb.fn('substr', ['tag', eb.lit(1), eb.lit(prefix.length)]), '=', prefix))
    .execute()
}

export async function deleteTagsOf(tx: Tx, resourceUuid: string): Promise<void> {
  await tx.deleteFrom('systemTags').where('resourceUuid', '=', resourceUuid).execute()
  await tx.deleteFrom('userTags').where('resourceUuid', '=', resourceUuid).execute()
}
