import type { Database, Tx } from '@wharf/database/database.ts'
import type { Tables } from '@wharf/database/tables.ts'
import type { Selectable } from 'kysely'
import type { Period } from '../../calls/read-period.ts'

export type HostSample = Selectable<Tables['hostSamples']>

export class HostSampleStore {
  readonly #database: Database

  constructor(database: Database) {
    this.#database = database
  }

  /** Another node may have stored a sample of the same interval. */
  async insert(tx: Tx, sample: HostSample): Promise<void> {
    await tx
      .insertInto('hostSamples')
      .values(sample)
      .onConflict((conflict) => conflict.columns(['hostUuid', 'time']).doNothing())
      .execute()
  }

  list(hostUuid: string, period: Period): Promise<HostSample[]> {
    return this.#database.read
      .selectFrom('hostSamples')
      .selectAll()
      .where('hostUuid', '=', hostUuid)
      .where('time', '>=', period.from)
      .where('time', '<', period.to)
      .orderBy('time')
      .execute()
  }

  async deleteBefore(tx: Tx, time: number, limit: number): Promise<number> {
    const { numDeletedRows } = await tx
      .deleteFrom('hostSamples')
      .where(({ eb, refTuple, selectFrom }) =>
        eb(
          refTuple('hostUuid', 'time'),
          'in',
          selectFrom('hostSamples')
            .select(['hostUuid', 'time'])
            .where('time', '<', time)
            .limit(limit)
            .$asTuple('hostUuid', 'time'),
        ),
      )
      .executeTakeFirst()
    return Number(numDeletedRows)
  }
}
