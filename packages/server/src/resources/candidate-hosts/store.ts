import type { Reader, Tx } from '@wharf/database/database.ts'
import { inBatches } from '@wharf/database/in-batches.ts'
import type { Tables } from '@wharf/database/tables.ts'
import type { Selectable } from 'kysely'
import { aliveNodes, lostNodes } from '../management-nodes/service.ts'

export type SightingRow = Selectable<Tables['candidateSightings']>

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

export const putSightings = (tx: Tx, rows: readonly SightingRow[]): Promise<void> =>
  inBatches(rows, (batch) =>
    tx
      .insertInto('candidateSightings')
      .values(batch)
      .onConflict((conflict) =>
        conflict.columns(['managementNodeUuid', 'identity']).doUpdateSet(({ ref }) => ({
          candidate: ref('excluded.candidate'),
        })),
      )
      .execute(),
  )

export const deleteSightings = (tx: Tx, nodeUuid: string, identities: readonly string[]): Promise<void> =>
  inBatches(identities, (batch) =>
    tx
      .deleteFrom('candidateSightings')
      .where('managementNodeUuid', '=', nodeUuid)
      .where('identity', 'in', batch)
      .execute(),
  )

/** Nobody reads them, and a node that returns writes its own again. */
export const deleteSightingsOfLostNodes = (tx: Tx) =>
  tx.deleteFrom('candidateSightings').where('managementNodeUuid', 'in', lostNodes).execute()
