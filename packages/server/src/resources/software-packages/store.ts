import type { PackageStatus } from '@wharf/contract'
import type { Reader, Tx } from '@wharf/database/database.ts'
import type { Tables } from '@wharf/database/tables.ts'
import type { Selectable } from 'kysely'

export type PackageRow = Selectable<Tables['softwarePackages']>

/** False when the uuid or the place is taken. */
export async function insertPackage(tx: Tx, row: PackageRow): Promise<boolean> {
  const done = await tx
    .insertInto('softwarePackages')
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .returning('uuid')
    .executeTakeFirst()
  return done !== undefined
}

export const findPackage = (from: Reader | Tx, uuid: string): Promise<PackageRow | undefined> =>
  from.selectFrom('softwarePackages').selectAll().where('uuid', '=', uuid).executeTakeFirst()

export const updatePackage = (tx: Tx, uuid: string, change: Partial<PackageRow>) =>
  tx.updateTable('softwarePackages').set(change).where('uuid', '=', uuid).execute()

/** True when the package was in one of these statuses, and now is not any more. */
export async function moveStatus(
  tx: Tx,
  uuid: string,
  from: readonly PackageStatus[],
  to: PackageStatus,
  lastOpDate: number,
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('softwarePackages')
    .set({ status: to, lastOpDate })
    .where('uuid', '=', uuid)
    .where('status', 'in', from)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

export const deletePackage = (tx: Tx, uuid: string) =>
  tx.deleteFrom('softwarePackages').where('uuid', '=', uuid).execute()

/** What must go before the package may. */
export const findPluginOn = (from: Reader | Tx, uuid: string): Promise<{ name: string } | undefined> =>
  from.selectFrom('clusterPlugins').select('name').where('softwarePackageUuid', '=', uuid).executeTakeFirst()

/** Installed on a host, and perhaps able to run a cluster. */
export const listClusterPackages = (from: Reader): Promise<PackageRow[]> =>
  from
    .selectFrom('softwarePackages')
    .selectAll()
    .where('status', 'in', ['Installed', 'Initialized', 'InitializeFailed'])
    .where('hostUuid', 'is not', null)
    .where('manifest', 'like', '%"cluster"%')
    .orderBy('createDate', 'desc')
    .execute()
