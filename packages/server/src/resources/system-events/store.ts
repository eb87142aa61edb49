import type { Database, Tx } from '@wharf/database/database.ts'
import { deleteInBatches } from '@wharf/database/delete-in-batches.ts'
import type { Tables } from '@wharf/database/tables.ts'
import type { Selectable } from 'kysely'
import { repeatMs } from './repeat-limit.ts'

export type MessageRow = Selectable<Tables['ownEventMessages']>

/** What the messages to one endpoint about one state have in common. */
type MessageKey = Pick<MessageRow, 'endpointUuid' | 'topic' | 'resourceUuid'>

/** The last message about each state. */
export class SystemEventStore {
  readonly #database: Database

  constructor(database: Database) {
    this.#database = database
  }

  find(tx: Tx, { endpointUuid, topic, resourceUuid }: MessageKey): Promise<MessageRow | undefined> {
    return tx
      .selectFrom('ownEventMessages')
      .selectAll()
      .where('endpointUuid', '=', endpointUuid)
      .where('topic', '=', topic)
      .where('resourceUuid', '=', resourceUuid)
      .executeTakeFirst()
  }

  async save(tx: Tx, row: MessageRow): Promise<void> {
    const { sentEvent, sentDate, heldEvent } = row
    await tx
      .insertInto('ownEventMessages')
      .values(row)
      .onConflict((conflict) =>
        conflict.columns(['endpointUuid', 'topic', 'resourceUuid']).doUpdateSet({ sentEvent, sentDate, heldEvent }),
      )
      .execute()
  }

  async hasDue(now: number): Promise<boolean> {
    const due = this.#due(this.#database.read, now).select('endpointUuid').limit(1)
    return (await due.executeTakeFirst()) !== undefined
  }

  listDue(tx: Tx, now: number, limit: number): Promise<MessageRow[]> {
    return this.#due(tx, now).selectAll().orderBy('sentDate').limit(limit).execute()
  }

  /** Rows whose interval is over and that hold nothing mean the same as none. */
  async removeOld(now: number): Promise<void> {
    const date = now - repeatMs
    await deleteInBatches(this.#database, async (tx, limit) => {
      const { numDeletedRows } = await tx
        .deleteFrom('ownEventMessages')
        .where(({ eb, refTuple, selectFrom }) =>
          eb(
            refTuple('endpointUuid', 'topic', 'resourceUuid'),
            'in',
            selectFrom('ownEventMessages')
              .select(['endpointUuid', 'topic', 'resourceUuid'])
              .where('heldEvent', 'is', null)
              .where('sentDate', '<=', date)
              .limit(limit)
              .$asTuple('endpointUuid', 'topic', 'resourceUuid'),
          ),
        )
        // checked again on the row: another node may have reported a state meanwhile
        .where('heldEvent', 'is', null)
        .where('sentDate', '<=', date)
        .executeTakeFirst()
      return Number(numDeletedRows)
    })
  }

  #due(from: Tx | Database['read'], now: number) {
    return from
      .selectFrom('ownEventMessages')
      .where('heldEvent', 'is not', null)
      .where(({ or, eb }) => or([eb('sentDate', '<=', now - repeatMs), eb('sentDate', '>', now)]))
  }
}
