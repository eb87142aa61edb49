import type { Reader, Tx } from '@wharf/database/database.ts'
import type { Tables } from '@wharf/database/tables.ts'
import type { Selectable } from 'kysely'

export type ImageRow = Selectable<Tables['migrateImages']>
export type ReferenceRow = Selectable<Tables['migrateImageReferences']>
export type CopyRow = Selectable<Tables['migrateImageCopies']>
export type VmRow = Selectable<Tables['gatewayVms']>

/** Wharf has one gateway, so this table has one row. */
const slot = 1

/** False when another package has the slot; with `insteadOf`, when that package no longer has it. */
export async function takeSlot(tx: Tx, packageUuid: string, lastOpDate: number, insteadOf?: string): Promise<boolean> {
  const done = await (insteadOf === undefined
    ? tx
        .insertInto('migratePackages')
        .values({ slot, packageUuid, lastOpDate })
        .onConflict((conflict) => conflict.doNothing())
        .returning('slot')
        .executeTakeFirst()
    : tx
        .updateTable('migratePackages')
        .set({ packageUuid, lastOpDate })
        .where('packageUuid', '=', insteadOf)
        .returning('slot')
        .executeTakeFirst())
  return done !== undefined
}

export const findSlot = (from: Reader | Tx): Promise<{ packageUuid: string } | undefined> =>
  from.selectFrom('migratePackages').select('packageUuid').where('slot', '=', slot).executeTakeFirst()

/** Other decisions about the gateway wait until the end of this transaction. */
export const lockSlot = (tx: Tx, lastOpDate: number) => tx.updateTable('migratePackages').set({ lastOpDate }).execute()

export const insertImages = async (tx: Tx, images: readonly ImageRow[], references: readonly ReferenceRow[]) => {
  await tx.insertInto('migrateImages').values(images).execute()
  await tx.insertInto('migrateImageReferences').values(references).execute()
}

export const listImages = (from: Reader | Tx, packageUuid: string): Promise<ImageRow[]> =>
  from.selectFrom('migrateImages').selectAll().where('packageUuid', '=', packageUuid).orderBy('key').execute()

export const findImage = (from: Reader | Tx, uuid: string): Promise<ImageRow | undefined> =>
  from.selectFrom('migrateImages').selectAll().where('uuid', '=', uuid).executeTakeFirst()

export const listReferences = (from: Reader | Tx, imageUuids: readonly string[]): Promise<ReferenceRow[]> =>
  imageUuids.length === 0
    ? Promise.resolve([])
    : from.selectFrom('migrateImageReferences').selectAll().where('imageUuid', 'in', imageUuids).execute()

export const recordCopy = (tx: Tx, row: CopyRow) =>
  tx
    .insertInto('migrateImageCopies')
    .values(row)
    .onConflict((conflict) => conflict.columns(['imageUuid', 'hostUuid']).doUpdateSet({ path: row.path }))
    .execute()

export const listCopies = (from: Reader, packageUuid: string): Promise<CopyRow[]> =>
  from
    .selectFrom('migrateImageCopies')
    .selectAll()
    .where('imageUuid', 'in', (images) =>
      images.selectFrom('migrateImages').select('uuid').where('packageUuid', '=', packageUuid),
    )
    .execute()

export const removeCopy = (tx: Tx, { imageUuid, hostUuid }: CopyRow) =>
  tx.deleteFrom('migrateImageCopies').where('imageUuid', '=', imageUuid).where('hostUuid', '=', hostUuid).execute()

/** False when the uuid is taken. */
export async function insertVm(tx: Tx, row: VmRow): Promise<boolean> {
  const done = await tx
    .insertInto('gatewayVms')
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .returning('uuid')
    .executeTakeFirst()
  return done !== undefined
}

export const findVm = (from: Reader | Tx, uuid: string): Promise<VmRow | undefined> =>
  from.selectFrom('gatewayVms').selectAll().where('uuid', '=', uuid).executeTakeFirst()

/** The management VM first, then by age. */
export const listVms = (from: Reader | Tx, packageUuid?: string): Promise<VmRow[]> =>
  from
    .selectFrom('gatewayVms')
    .selectAll()
    .$if(packageUuid !== undefined, (query) => query.where('packageUuid', '=', packageUuid ?? ''))
    .orderBy('role', 'desc')
    .orderBy('createDate')
    .orderBy('uuid')
    .execute()

export const updateVm = (tx: Tx, uuid: string, change: Partial<VmRow>) =>
  tx.updateTable('gatewayVms').set(change).where('uuid', '=', uuid).execute()

/** True when it existed. */
export async function deleteVm(tx: Tx, uuid: string): Promise<boolean> {
  const { numDeletedRows } = await tx.deleteFrom('gatewayVms').where('uuid', '=', uuid).executeTakeFirst()
  return numDeletedRows > 0n
}
