import type { Reader, Tx } from '@wharf/database/database.ts'
import type { Tables } from '@wharf/database/tables.ts'
import type { Selectable } from 'kysely'

export type PlatformRow = Selectable<Tables['thirdPartyPlatforms']>
export type AlertRow = Selectable<Tables['thirdPartyAlerts']>

/** False when the uuid is taken. */
export async function insertPlatform(tx: Tx, row: PlatformRow): Promise<boolean> {
  const done = await tx
    .insertInto('thirdPartyPlatforms')
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .returning('uuid')
    .executeTakeFirst()
  return done !== undefined
}

export const findPlatform = (from: Reader | Tx, uuid: string): Promise<PlatformRow | undefined> =>
  from.selectFrom('thirdPartyPlatforms').selectAll().where('uuid', '=', uuid).executeTakeFirst()

export const findPlatformUuids = (tx: Tx, uuids: readonly string[]): Promise<{ uuid: string }[]> =>
  tx.selectFrom('thirdPartyPlatforms').select('uuid').where('uuid', 'in', uuids).execute()

/** False when the uuid does not exist. */
export async function updatePlatform(tx: Tx, uuid: string, change: Partial<PlatformRow>): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('thirdPartyPlatforms')
    .set(change)
    .where('uuid', '=', uuid)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Its alerts are deleted by their foreign key. */
export async function deletePlatform(tx: Tx, uuid: string): Promise<boolean> {
  const { numDeletedRows } = await tx.deleteFrom('thirdPartyPlatforms').where('uuid', '=', uuid).executeTakeFirst()
  return numDeletedRows > 0n
}

/** False when this change of state is already stored. */
export async function insertAlert(tx: Tx, row: AlertRow): Promise<boolean> {
  const done = await tx
    .insertInto('thirdPartyAlerts')
    .values(row)
    .onConflict((conflict) => conflict.columns(['platformUuid', 'fingerprint', 'startsAt', 'status']).doNothing())
    .returning('uuid')
    .executeTakeFirst()
  return done !== undefined
}

/** The stored changes of these alerts. */
export const findChanges = (from: Reader, platformUuid: string, fingerprints: readonly string[]) =>
  from
    .selectFrom('thirdPartyAlerts')
    .select(['fingerprint', 'startsAt', 'status'])
    .where('platformUuid', '=', platformUuid)
    .where('fingerprint', 'in', fingerprints)
    .execute()

export const deleteAlertsBefore = async (tx: Tx, createDate: number, limit: number): Promise<number> => {
  const { numDeletedRows } = await tx
    .deleteFrom('thirdPartyAlerts')
    .where('uuid', 'in', (from) =>
      from.selectFrom('thirdPartyAlerts').select('uuid').where('createDate', '<', createDate).limit(limit),
    )
    .executeTakeFirst()
  return Number(numDeletedRows)
}
