import type { Reader, Tx } from '@wharf/database/database.ts'
import type { Tables } from '@wharf/database/tables.ts'
import type { Selectable } from 'kysely'
import type { Period } from '../../calls/read-period.ts'

export type HostRow = Selectable<Tables['hosts']>
export type HostSample = Selectable<Tables['hostSamples']>

export const findLocalHost = (from: Reader | Tx, nodeUuid: string): Promise<HostRow | undefined> =>
  from
    .selectFrom('hosts')
    .selectAll()
    .where('managementNodeUuid', '=', nodeUuid)
    .where('driver', '=', 'local')
    .executeTakeFirst()

/** The hosts that this node may probe: its own machine, and every host with ssh. */
export const listProbeable = (from: Reader, nodeUuid: string): Promise<HostRow[]> =>
  from
    .selectFrom('hosts')
    .selectAll()
    .where('state', '=', 'Enabled')
    .where('status', '!=', 'Connecting')
    .where(({ or, eb }) => or([eb('driver', '=', 'ssh'), eb('managementNodeUuid', '=', nodeUuid)]))
    .execute()

/** By status, for the metrics. */
export const countHosts = (from: Reader): Promise<{ status: HostRow['status']; count: number }[]> =>
  from
    .selectFrom('hosts')
    .select(['status', ({ fn }) => fn.countAll<number>().as('count')])
    .groupBy('status')
    .execute()

export const listIdentities = (from: Reader) =>
  from.selectFrom('hosts').select(['address', 'sn', 'managementNodeUuid']).execute()

/** Another node may have stored a sample of the same interval. */
export async function insertSample(tx: Tx, sample: HostSample): Promise<void> {
  await tx
    .insertInto('hostSamples')
    .values(sample)
    .onConflict((conflict) => conflict.columns(['hostUuid', 'time']).doNothing())
    .execute()
}

export const listSamples = (from: Reader, hostUuid: string, period: Period): Promise<HostSample[]> =>
  from
    .selectFrom('hostSamples')
    .selectAll()
    .where('hostUuid', '=', hostUuid)
    .where('time', '>=', period.from)
    .where('time', '<', period.to)
    .orderBy('time')
    .execute()

export async function removeSamplesBefore(tx: Tx, time: number, limit: number): Promise<number> {
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
