import type { PackageStatus } from '@wharf/contract'
import type { Database, Tx } from '@wharf/database/database.ts'
import type { Tables } from '@wharf/database/tables.ts'
import type { Selectable } from 'kysely'

export type PackageRow = Selectable<Tables['softwarePackages']>

/** The queries of packages that `Records` does not have. */
export class PackageStore {
  readonly #database: Database

  constructor(database: Database) {
    this.#database = database
  }

  /** False when the package has none of the statuses `from`. */
  async updateStatus(
    tx: Tx,
    uuid: string,
    { from, to, lastOpDate }: { from: readonly PackageStatus[]; to: PackageStatus; lastOpDate: number },
  ): Promise<boolean> {
    const { numUpdatedRows } = await tx
      .updateTable('softwarePackages')
      .set({ status: to, lastOpDate })
      .where('uuid', '=', uuid)
      .where('status', 'in', from)
      .executeTakeFirst()
    return numUpdatedRows > 0n
  }

  /** Packages that are installed on a host and may be able to run a cluster, the newest first. */
  listClusterCandidates(): Promise<PackageRow[]> {
    return this.#database.read
      .selectFrom('softwarePackages')
      .selectAll()
      .where('status', 'in', ['Installed', 'Initialized', 'InitializeFailed'])
      .where('hostUuid', 'is not', null)
      .where('manifest', 'like', '%"cluster"%')
      .orderBy('createDate', 'desc')
      .execute()
  }
}
