import type { Reader, Tx } from '@wharf/database/database.ts'
import type { Tables } from '@wharf/database/tables.ts'
import type { Selectable } from 'kysely'

export type ClusterPluginRow = Selectable<Tables['clusterPlugins']>
export type AlertReferenceRow = Selectable<Tables['clusterPluginAlertPlatforms']>

export const listPluginsAtPort = (from: Reader | Tx, apiPort: number): Promise<ClusterPluginRow[]> =>
  from.selectFrom('clusterPlugins').selectAll().where('apiPort', '=', apiPort).execute()

export const findPluginOfPackage = (from: Reader | Tx, packageUuid: string): Promise<ClusterPluginRow | undefined> =>
  from.selectFrom('clusterPlugins').selectAll().where('softwarePackageUuid', '=', packageUuid).executeTakeFirst()

/** False when the plugin already has one. */
export async function insertAlertReference(tx: Tx, row: AlertReferenceRow): Promise<boolean> {
  const done = await tx
    .insertInto('clusterPluginAlertPlatforms')
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .returning('clusterUuid')
    .executeTakeFirst()
  return done !== undefined
}

export const findAlertReference = (from: Reader | Tx, clusterUuid: string): Promise<AlertReferenceRow | undefined> =>
  from.selectFrom('clusterPluginAlertPlatforms').selectAll().where('clusterUuid', '=', clusterUuid).executeTakeFirst()

export const deleteAlertReference = (tx: Tx, clusterUuid: string) =>
  tx.deleteFrom('clusterPluginAlertPlatforms').where('clusterUuid', '=', clusterUuid).execute()
