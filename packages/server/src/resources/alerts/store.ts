import { ThirdpartyAlertInventory } from '@wharf/contract'
import type { Database, Tx } from '@wharf/database/database.ts'
import { deleteByKey } from '@wharf/database/delete-in-batches.ts'
import { collection } from '@wharf/database/query.ts'
import type { Tables } from '@wharf/database/tables.ts'
import type { Selectable } from 'kysely'

export type PlatformRow = Selectable<Tables['thirdPartyPlatforms']>
export type AlertRow = Selectable<Tables['thirdPartyAlerts']>
export type SilenceRow = Selectable<Tables['alertSilences']>

/** Identifies an alert however often it fires. */
export type AlertIdentity = Pick<AlertRow, 'platformUuid' | 'fingerprint'>
type Acknowledgement = Pick<AlertRow, 'acknowledgedBy' | 'acknowledgedDate' | 'acknowledgeComment'>

const silenceColumn = (name: string): string =>
  `select "${name}" from "alertSilences" where "alertSilences"."platformUuid" = "thirdPartyAlerts"."platformUuid" and "alertSilences"."fingerprint" = "thirdPartyAlerts"."fingerprint"`

/** The silence belongs to the identity of an alert, not to one record. */
export const alertRecords = collection(ThirdpartyAlertInventory, {
  columns: Object.fromEntries(ThirdpartyAlertInventory.computed.map((field) => [field, silenceColumn(field)])),
})

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
      .select(['fingerprint', 'startsAt', 'status', 'isWithheld'])
      .where('platformUuid', '=', platformUuid)
      .where('fingerprint', 'in', fingerprints)
      .execute()
  }

  /** The first alert of these platforms that started to fire at this time or later. */
  findStartedSince(tx: Tx, platformUuids: readonly string[], time: number): Promise<{ name: string } | undefined> {
    return tx
      .selectFrom('thirdPartyAlerts')
      .select('name')
      .where('createDate', '>=', time)
      .where('startsAt', '>=', time)
      .where('platformUuid', 'in', platformUuids)
      .where('status', '=', 'firing')
      .orderBy('createDate')
      .limit(1)
      .executeTakeFirst()
  }

  removeBefore(tx: Tx, createDate: number, limit: number): Promise<number> {
    const old = tx.selectFrom('thirdPartyAlerts').select('uuid').where('createDate', '<', createDate).limit(limit)
    return deleteByKey(tx, 'thirdPartyAlerts', 'uuid', old)
  }

  /** Clears the mark of a change whose message a silence withheld; its uuid, undefined when it has no mark. */
  async releaseWithheld(
    tx: Tx,
    change: AlertIdentity & Pick<AlertRow, 'startsAt' | 'status'>,
  ): Promise<string | undefined> {
    const released = await tx
      .updateTable('thirdPartyAlerts')
      .set({ isWithheld: 0 })
      .where('platformUuid', '=', change.platformUuid)
      .where('fingerprint', '=', change.fingerprint)
      .where('startsAt', '=', change.startsAt)
      .where('status', '=', change.status)
      .where('isWithheld', '=', 1)
      .returning('uuid')
      .executeTakeFirst()
    return released?.uuid
  }

  /** Whether it has ended, in this record or in the later one about its end. */
  async isResolved(tx: Tx, { platformUuid, fingerprint, startsAt }: AlertRow): Promise<boolean> {
    const found = await tx
      .selectFrom('thirdPartyAlerts')
      .select('uuid')
      .where('platformUuid', '=', platformUuid)
      .where('fingerprint', '=', fingerprint)
      .where('startsAt', '=', startsAt)
      .where('status', '=', 'resolved')
      .executeTakeFirst()
    return found !== undefined
  }

  /** The record of its last change. */
  findLast(tx: Tx, { platformUuid, fingerprint }: AlertIdentity): Promise<AlertRow | undefined> {
    return (
      tx
        .selectFrom('thirdPartyAlerts')
        .selectAll()
        .where('platformUuid', '=', platformUuid)
        .where('fingerprint', '=', fingerprint)
        // "resolved" follows "firing" of the same start
        .orderBy('startsAt', 'desc')
        .orderBy('status', 'desc')
        .limit(1)
        .executeTakeFirst()
    )
  }

  /** Of its last change, while that is firing: the end of an alert ends its acknowledgement. */
  async findAcknowledgement(tx: Tx, identity: AlertIdentity): Promise<Acknowledgement | undefined> {
    const last = await this.findLast(tx, identity)
    if (last?.status !== 'firing' || last.acknowledgedDate === null) return undefined
    const { acknowledgedBy, acknowledgedDate, acknowledgeComment } = last
    return { acknowledgedBy, acknowledgedDate, acknowledgeComment }
  }

  /** The records of an alert that are firing, the newest first. */
  async listFiring(tx: Tx, { platformUuid, fingerprint }: AlertIdentity, limit: number): Promise<string[]> {
    const found = await tx
      .selectFrom('thirdPartyAlerts as firing')
      .select('firing.uuid')
      .where('firing.platformUuid', '=', platformUuid)
      .where('firing.fingerprint', '=', fingerprint)
      .where('firing.status', '=', 'firing')
      .where(({ not, exists, selectFrom }) =>
        not(
          exists(
            selectFrom('thirdPartyAlerts as end')
              .select('end.uuid')
              .whereRef('end.platformUuid', '=', 'firing.platformUuid')
              .whereRef('end.fingerprint', '=', 'firing.fingerprint')
              .whereRef('end.startsAt', '=', 'firing.startsAt')
              .where('end.status', '=', 'resolved'),
          ),
        ),
      )
      .orderBy('firing.startsAt', 'desc')
      .limit(limit)
      .execute()
    return found.map(({ uuid }) => uuid)
  }

  /** Those of these alerts that are silenced. */
  async listSilenced(tx: Tx, platformUuid: string, fingerprints: readonly string[], now: number): Promise<string[]> {
    if (fingerprints.length === 0) return []
    const found = await tx
      .selectFrom('alertSilences')
      .select('fingerprint')
      .where('platformUuid', '=', platformUuid)
      .where('fingerprint', 'in', fingerprints)
      .where('silencedUntil', '>', now)
      .execute()
    return found.map(({ fingerprint }) => fingerprint)
  }

  findSilence(tx: Tx, { platformUuid, fingerprint }: AlertIdentity): Promise<SilenceRow | undefined> {
    return tx
      .selectFrom('alertSilences')
      .selectAll()
      .where('platformUuid', '=', platformUuid)
      .where('fingerprint', '=', fingerprint)
      .executeTakeFirst()
  }

  async saveSilence(tx: Tx, silence: SilenceRow): Promise<void> {
    await tx
      .insertInto('alertSilences')
      .values(silence)
      .onConflict((conflict) => conflict.columns(['platformUuid', 'fingerprint']).doUpdateSet(silence))
      .execute()
  }

  /** False when none lasts. */
  async endSilence(tx: Tx, { platformUuid, fingerprint }: AlertIdentity, now: number): Promise<boolean> {
    const { numUpdatedRows } = await tx
      .updateTable('alertSilences')
      .set({ silencedUntil: now })
      .where('platformUuid', '=', platformUuid)
      .where('fingerprint', '=', fingerprint)
      .where('silencedUntil', '>', now)
      .executeTakeFirst()
    return numUpdatedRows > 0n
  }

  async removeSilencesBefore(tx: Tx, silencedUntil: number, limit: number): Promise<number> {
    const { numDeletedRows } = await tx
      .deleteFrom('alertSilences')
      .where(({ eb, refTuple, selectFrom }) =>
        eb(
          refTuple('platformUuid', 'fingerprint'),
          'in',
          selectFrom('alertSilences')
            .select(['platformUuid', 'fingerprint'])
            .where('silencedUntil', '<', silencedUntil)
            .limit(limit)
            .$asTuple('platformUuid', 'fingerprint'),
        ),
      )
      .executeTakeFirst()
    return Number(numDeletedRows)
  }
}
