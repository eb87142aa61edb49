import type { Database, Tx } from '@wharf/database/database.ts'
import { inBatches } from '@wharf/database/in-batches.ts'
import type { Tables } from '@wharf/database/tables.ts'
import type { Selectable } from 'kysely'
import { aliveNodes, lostNodes } from '../management-nodes/service.ts'

export type SightingRow = Selectable<Tables['candidateSightings']>

/** What the nodes have seen of announced hosts. */
export class SightingStore {
  readonly #database: Database

  constructor(database: Database) {
    this.#database = database
  }

  listOf(nodeUuid: string): Promise<SightingRow[]> {
    return this.#database.read
      .selectFrom('candidateSightings')
      .selectAll()
      .where('managementNodeUuid', '=', nodeUuid)
      .execute()
  }

  /** Of the other nodes that are alive. */
  listOfOthers(nodeUuid: string): Promise<SightingRow[]> {
    return this.#database.read
      .selectFrom('candidateSightings')
      .selectAll()
      .where('managementNodeUuid', 'in', aliveNodes)
      .where('managementNodeUuid', '!=', nodeUuid)
      .orderBy('managementNodeUuid')
      .orderBy('identity')
      .execute()
  }

  put(tx: Tx, rows: readonly SightingRow[]): Promise<void> {
    return inBatches(rows, (batch) =>
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
  }

  delete(tx: Tx, nodeUuid: string, identities: readonly string[]): Promise<void> {
    return inBatches(identities, (batch) =>
      tx
        .deleteFrom('candidateSightings')
        .where('managementNodeUuid', '=', nodeUuid)
        .where('identity', 'in', batch)
        .execute(),
    )
  }

  /** Nobody reads them, and a node that returns writes its own again. */
  deleteOfLostNodes(tx: Tx) {
    return tx.deleteFrom('candidateSightings').where('managementNodeUuid', 'in', lostNodes).execute()
  }
}
