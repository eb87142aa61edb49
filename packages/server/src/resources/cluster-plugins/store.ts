import type { Reader, Tx } from '@wharf/database/database.ts'
import type { Tables } from '@wharf/database/tables.ts'
import type { Selectable } from 'kysely'

export type ClusterPluginRow = Selectable<Tables['clusterPlugins']>
export type AlertReferenceRow = Selectable<Tables['clusterPluginAlertPlatforms']>

/** False when the uuid is taken, or the component. */
export async function insertPlugin(tx: Tx, row: ClusterPluginRow): Promise<boolean> {
  const done = await tx
    .insertInto('clusterPlugins')
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .returning('uuid')
    .executeTakeFirst()
  return done !== undefined
}

export const findPlugin = (from: Reader | Tx, uuid: string): Promise<ClusterPluginRow | undefined> =>
  from.selectFrom('clusterPlugins').selectAll().where('uuid', '=', uuid).executeTakeFirst()

export const listPluginsAtPort = (from: Reader | Tx, apiPort: number): Promise<ClusterPluginRow[]> =>
  from.selectFrom('clusterPlugins').selectAll().where('apiPort', '=', apiPort).execute()

export const findPluginOfPackage = (from: Reader | Tx, packageUuid: string): Promise<ClusterPluginRow | undefined> =>
  from.selectFrom('clusterPlugins').selectAll().where('softwarePackageUuid', '=', packageUuid).executeTakeFirst()

export const updatePlugin = (tx: Tx, uuid: string, change: Partial<ClusterPluginRow>) =>
  tx.updateTable('clusterPlugins').set(change).where('uuid', '=', uuid).execute()

export const deletePlugin = (tx: Tx, uuid: string) => tx.deleteFrom('clusterPlugins').where('uuid', '=', uuid).execute()

/** False when the plugin has one already. */
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
