import type { Tx } from '@wharf/database/database.ts'
import type { Tables } from '@wharf/database/tables.ts'
import type { Insertable, Selectable } from 'kysely'

export type TagRow = Selectable<Tables['tags']>
export type UserTagRow = Selectable<Tables['userTags']>

/** The queries of tags that `Records` does not have. */
export class TagStore {
  list(tx: Tx, uuids: readonly string[]): Promise<TagRow[]> {
    return tx.selectFrom('tags').selectAll().where('uuid', 'in', uuids).execute()
  }

  findNamed(tx: Tx, name: string): Promise<TagRow | undefined> {
    return tx.selectFrom('tags').selectAll().where('name', '=', name).executeTakeFirst()
  }

  insertSystemTags(tx: Tx, rows: Insertable<Tables['systemTags']>[]) {
    return tx.insertInto('systemTags').values(rows).execute()
  }

  insertUserTags(tx: Tx, rows: Insertable<Tables['userTags']>[]) {
    return tx.insertInto('userTags').values(rows).execute()
  }

  findUserTag(tx: Tx, uuid: string): Promise<UserTagRow | undefined> {
    return tx.selectFrom('userTags').selectAll().where('uuid', '=', uuid).executeTakeFirst()
  }

  listUserTags(tx: Tx, resourceUuid: string): Promise<UserTagRow[]> {
    return tx.selectFrom('userTags').selectAll().where('resourceUuid', '=', resourceUuid).execute()
  }

  async deleteUserTag(tx: Tx, uuid: string): Promise<void> {
    await tx.deleteFrom('userTags').where('uuid', '=', uuid).execute()
  }

  /** Compared as text: in a LIKE pattern, characters of the prefix could be wildcards. */
  async deleteSystemTags(tx: Tx, resourceUuid: string, prefix: string): Promise<void> {
    await tx
      .deleteFrom('systemTags')
      .where('resourceUuid', '=', resourceUuid)
      .where((eb) => eb(eb.fn('substr', ['tag', eb.lit(1), eb.lit(prefix.length)]), '=', prefix))
      .execute()
  }

  async deleteAllOf(tx: Tx, resourceUuid: string): Promise<void> {
    await tx.deleteFrom('systemTags').where('resourceUuid', '=', resourceUuid).execute()
    await tx.deleteFrom('userTags').where('resourceUuid', '=', resourceUuid).execute()
  }
}
