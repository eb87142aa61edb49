import type { PackageStatus } from '@wharf/contract'
import type { Reader, Tx } from '@wharf/database/database.ts'
import type { Tables } from '@wharf/database/tables.ts'
import type { Selectable } from 'kysely'

export type PackageRow = Selectable<Tables['softwarePackages']>

/** True when the package had one of these statuses. */
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

/** Installed on a host, and possibly able to run a cluster. */
export const listClusterPackages = (from: Reader): Promise<PackageRow[]> =>
  from
    .selectFrom('softwarePackages')
    .selectAll()
    .where('status', 'in', ['Installed', 'Initialized', 'InitializeFailed'])
    .where('hostUuid', 'is not', null)
    .where('manifest', 'like', '%"cluster"%')
    .orderBy('createDate', 'desc')
    .execute()
