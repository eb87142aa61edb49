import type { Reader, Tx } from '@wharf/database/database.ts'
import type { Tables } from '@wharf/database/tables.ts'
import type { Selectable } from 'kysely'

export type HostRow = Selectable<Tables['hosts']>

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
