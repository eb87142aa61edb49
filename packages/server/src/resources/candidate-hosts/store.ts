import type { Reader, Tx } from '@wharf/database/database.ts'
import type { Tables } from '@wharf/database/tables.ts'
import type { Selectable } from 'kysely'
import { aliveNodes, lostNodes } from '../management-nodes/service.ts'

export type SightingRow = Selectable<Tables['candidateSightings']>

/** PostgreSQL allows 65,535 values in one statement. */
const rowsAtOnce = 500

export const sightingsOf = (from: Reader | Tx, nodeUuid: string): Promise<SightingRow[]> =>
  from.selectFrom('candidateSightings').selectAll().where('managementNodeUuid', '=', nodeUuid).execute()

/** Of the other nodes that are alive. */
export const sightingsOfOthers = (from: Reader, nodeUuid: string): Promise<SightingRow[]> =>
  from
    .selectFrom('candidateSightings')
    .selectAll()
    .where('managementNodeUuid', 'in', aliveNodes)
    .where('managementNodeUuid', '!=', nodeUuid)
    .orderBy('managementNodeUuid')
    .orderBy('identity')
    .execute()

export async function putSightings(tx: Tx, rows: readonly SightingRow[]): Promise<void> {
  for (let at = 0; at < rows.length; at += rowsAtOnce)
    await tx
      .insertInto('candidateSightings')
      .values(rows.slice(at, at + rowsAtOnce))
      .onConflict((conflict) =>
        conflict.columns(['managementNodeUuid', 'identity']).doUpdateSet(({ ref }) => ({
          candidate: ref('excluded.candidate'),
        })),
      )
      .execute()
}

export async function deleteSightings(tx: Tx, nodeUuid: string, identities: readonly string[]): Promise<void> {
  for (let at = 0; at < identities.length; at += rowsAtOnce)
    await tx
      .deleteFrom('candidateSightings')
      .where('managementNodeUuid', '=', nodeUuid)
      .where('identity', 'in', identities.slice(at, at + rowsAtOnce))
      .execute()
}

/** Nobody reads them, and a node that returns writes its own again. */
export const deleteSightingsOfLostNodes = (tx: Tx) =>
  tx.deleteFrom('candidateSightings').where('managementNodeUuid', 'in', lostNodes).execute()
