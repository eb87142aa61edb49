import type { Database, Tx } from '@wharf/database/database.ts'
import type { Tables } from '@wharf/database/tables.ts'
import type { Selectable } from 'kysely'

export type ClusterPluginRow = Selectable<Tables['clusterPlugins']>
export type AlertReferenceRow = Selectable<Tables['clusterPluginAlertPlatforms']>

/** The queries of cluster plugins that `Records` does not have. */
export class ClusterPluginStore {
  readonly #database: Database

  constructor(database: Database) {
    this.#database = database
  }

  listAtPort(apiPort: number, from?: Tx): Promise<ClusterPluginRow[]> {
    return (from ?? this.#database.read)
      .selectFrom('clusterPlugins')
      .selectAll()
      .where('apiPort', '=', apiPort)
      .execute()
  }

  findOnPackage(packageUuid: string, from?: Tx): Promise<ClusterPluginRow | undefined> {
    return (from ?? this.#database.read)
      .selectFrom('clusterPlugins')
      .selectAll()
      .where('softwarePackageUuid', '=', packageUuid)
      .executeTakeFirst()
  }

  /** The addresses of the other machines of a cluster. */
  async replaceNodes(tx: Tx, clusterUuid: string, addresses: readonly string[]): Promise<void> {
    await tx.deleteFrom('clusterNodes').where('clusterUuid', '=', clusterUuid).execute()
    const rows = addresses.map((address) => ({ clusterUuid, address }))
    if (rows.length > 0) await tx.insertInto('clusterNodes').values(rows).execute()
  }

  /** False when the plugin already has one. */
  async insertAlertReference(tx: Tx, row: AlertReferenceRow): Promise<boolean> {
    const inserted = await tx
      .insertInto('clusterPluginAlertPlatforms')
      .values(row)
      .onConflict((conflict) => conflict.doNothing())
      .returning('clusterUuid')
      .executeTakeFirst()
    return inserted !== undefined
  }

  findAlertReference(clusterUuid: string, from?: Tx): Promise<AlertReferenceRow | undefined> {
    return (from ?? this.#database.read)
      .selectFrom('clusterPluginAlertPlatforms')
      .selectAll()
      .where('clusterUuid', '=', clusterUuid)
      .executeTakeFirst()
  }

  async removeAlertReference(tx: Tx, clusterUuid: string): Promise<void> {
    await tx.deleteFrom('clusterPluginAlertPlatforms').where('clusterUuid', '=', clusterUuid).execute()
  }
}
