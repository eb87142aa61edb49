import type { Database, Tx } from '@wharf/database/database.ts'
import type { Tables } from '@wharf/database/tables.ts'
import type { Selectable } from 'kysely'

export type ImageRow = Selectable<Tables['migrateImages']>
export type ReferenceRow = Selectable<Tables['migrateImageReferences']>
export type CopyRow = Selectable<Tables['migrateImageCopies']>
export type VmRow = Selectable<Tables['gatewayVms']>

/** Wharf has one gateway, so this table has one row. */
const slot = 1

/** The package of the gateway, its images and their copies on hosts, and its VMs. */
export class MigrationStore {
  readonly #database: Database

  constructor(database: Database) {
    this.#database = database
  }

  /** False when another package has the slot; with `insteadOf`, when that package no longer has it. */
  async takeSlot(tx: Tx, packageUuid: string, lastOpDate: number, insteadOf?: string): Promise<boolean> {
    const taken = await (insteadOf === undefined
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
    return taken !== undefined
  }

  findSlot(from?: Tx): Promise<{ packageUuid: string } | undefined> {
    return this.#reader(from)
      .selectFrom('migratePackages')
      .select('packageUuid')
      .where('slot', '=', slot)
      .executeTakeFirst()
  }

  /** Other decisions about the gateway wait until the end of this transaction. */
  async lockSlot(tx: Tx, lastOpDate: number): Promise<void> {
    await tx.updateTable('migratePackages').set({ lastOpDate }).execute()
  }

  async insertImages(tx: Tx, images: readonly ImageRow[], references: readonly ReferenceRow[]): Promise<void> {
    await tx.insertInto('migrateImages').values(images).execute()
    await tx.insertInto('migrateImageReferences').values(references).execute()
  }

  listImages(packageUuid: string, from?: Tx): Promise<ImageRow[]> {
    return this.#reader(from)
      .selectFrom('migrateImages')
      .selectAll()
      .where('packageUuid', '=', packageUuid)
      .orderBy('key')
      .execute()
  }

  findImage(uuid: string): Promise<ImageRow | undefined> {
    return this.#database.read.selectFrom('migrateImages').selectAll().where('uuid', '=', uuid).executeTakeFirst()
  }

  async listReferences(imageUuids: readonly string[]): Promise<ReferenceRow[]> {
    if (imageUuids.length === 0) return []
    return this.#database.read
      .selectFrom('migrateImageReferences')
      .selectAll()
      .where('imageUuid', 'in', imageUuids)
      .execute()
  }

  async insertCopy(tx: Tx, row: CopyRow): Promise<void> {
    await tx
      .insertInto('migrateImageCopies')
      .values(row)
      .onConflict((conflict) => conflict.columns(['imageUuid', 'hostUuid']).doUpdateSet({ path: row.path }))
      .execute()
  }

  listCopies(packageUuid: string, from?: Tx): Promise<CopyRow[]> {
    return this.#reader(from)
      .selectFrom('migrateImageCopies')
      .selectAll()
      .where('imageUuid', 'in', (images) =>
        images.selectFrom('migrateImages').select('uuid').where('packageUuid', '=', packageUuid),
      )
      .execute()
  }

  async removeCopy(tx: Tx, { imageUuid, hostUuid }: CopyRow): Promise<void> {
    await tx
      .deleteFrom('migrateImageCopies')
      .where('imageUuid', '=', imageUuid)
      .where('hostUuid', '=', hostUuid)
      .execute()
  }

  /** False when the uuid is taken. */
  async insertVm(tx: Tx, row: VmRow): Promise<boolean> {
    const inserted = await tx
      .insertInto('gatewayVms')
      .values(row)
      .onConflict((conflict) => conflict.doNothing())
      .returning('uuid')
      .executeTakeFirst()
    return inserted !== undefined
  }

  findVm(uuid: string, from?: Tx): Promise<VmRow | undefined> {
    return this.#reader(from).selectFrom('gatewayVms').selectAll().where('uuid', '=', uuid).executeTakeFirst()
  }

  /** Of one package or of all; the management VM first, then by age. */
  listVms(packageUuid?: string, from?: Tx): Promise<VmRow[]> {
    return this.#reader(from)
      .selectFrom('gatewayVms')
      .selectAll()
      .$if(packageUuid !== undefined, (query) => query.where('packageUuid', '=', packageUuid ?? ''))
      .orderBy('role', 'desc')
      .orderBy('createDate')
      .orderBy('uuid')
      .execute()
  }

  async updateVm(tx: Tx, uuid: string, change: Partial<VmRow>): Promise<void> {
    await tx.updateTable('gatewayVms').set(change).where('uuid', '=', uuid).execute()
  }

  /** Undefined when it does not exist. */
  removeVm(tx: Tx, uuid: string): Promise<VmRow | undefined> {
    return tx.deleteFrom('gatewayVms').where('uuid', '=', uuid).returningAll().executeTakeFirst()
  }

  #reader(from: Tx | undefined) {
    return from ?? this.#database.read
  }
}
