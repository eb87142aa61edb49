import type { Database, Tx } from '@wharf/database/database.ts'
import { deleteByKey } from '@wharf/database/delete-in-batches.ts'
import type { Tables } from '@wharf/database/tables.ts'
import type { Selectable } from 'kysely'

export type PlatformRow = Selectable<Tables['thirdPartyPlatforms']>
export type AlertRow = Selectable<Tables['thirdPartyAlerts']>

/** The queries of alerts and platforms that `Records` does not have. */
export class AlertStore {
  readonly #database: Database

  constructor(database: Database) {
    this.#database = database
  }

  listPlatformUuids(tx: Tx, uuids: readonly string[]): Promise<{ uuid: string }[]> {
    return tx.selectFrom('thirdPartyPlatforms').select('uuid').where('uuid', 'in', uuids).execute()
  }

  /** False when this change of state is already stored. */
  async insert(tx: Tx, row: AlertRow): Promise<boolean> {
    const inserted = await tx
      .insertInto('thirdPartyAlerts')
      .values(row)
      .onConflict((conflict) => conflict.columns(['platformUuid', 'fingerprint', 'startsAt', 'status']).doNothing())
      .returning('uuid')
      .executeTakeFirst()
    return inserted !== undefined
  }

  /** The stored changes of these alerts. */
  listChanges(platformUuid: string, fingerprints: readonly string[]) {
    return this.#database.read
      .selectFrom('thirdPartyAlerts')
      .select(['fingerprint', 'startsAt', 'status'])
      .where('platformUuid', '=', platformUuid)
      .where('fingerprint', 'in', fingerprints)
      .execute()
  }

  removeBefore(tx: Tx, createDate: number, limit: number): Promise<number> {
    const old = tx.selectFrom('thirdPartyAlerts').select('uuid').where('createDate', '<', createDate).limit(limit)
    return deleteByKey(tx, 'thirdPartyAlerts', 'uuid', old)
  }
}
