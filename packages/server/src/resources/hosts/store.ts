import type { Database, Tx } from '@wharf/database/database.ts'
import type { Tables } from '@wharf/database/tables.ts'
import { expressionBuilder, type Selectable } from 'kysely'

export type HostRow = Selectable<Tables['hosts']>
export type Labels = Readonly<Record<string, string>>

/** A subquery: the uuids of the hosts that only other nodes reach. */
export const hostsElsewhere = (nodeUuid: string) =>
  expressionBuilder<Tables, never>()
    .selectFrom('hosts')
    .select('uuid')
    .where('managementNodeUuid', 'is not', null)
    .where('managementNodeUuid', '!=', nodeUuid)

/** The queries of hosts that `Records` does not have. */
export class HostStore {
  readonly #database: Database

  constructor(database: Database) {
    this.#database = database
  }

  findLocal(nodeUuid: string, from?: Tx): Promise<HostRow | undefined> {
    return (from ?? this.#database.read)
      .selectFrom('hosts')
      .selectAll()
      .where('managementNodeUuid', '=', nodeUuid)
      .where('driver', '=', 'local')
      .executeTakeFirst()
  }

  list(uuids: readonly string[], from?: Tx): Promise<HostRow[]> {
    return (from ?? this.#database.read).selectFrom('hosts').selectAll().where('uuid', 'in', uuids).execute()
  }

  /** The hosts that this node may probe: its own machine, and every host with ssh. */
  listProbeable(nodeUuid: string): Promise<HostRow[]> {
    return this.#database.read
      .selectFrom('hosts')
      .selectAll()
      .where('state', '=', 'Enabled')
      .where('status', '!=', 'Connecting')
      .where(({ or, eb }) => or([eb('driver', '=', 'ssh'), eb('managementNodeUuid', '=', nodeUuid)]))
      .execute()
  }

  /** Another host at the same address without a key of its own. */
  async hasOtherWithServerKey({ uuid, address }: HostRow): Promise<boolean> {
    const found = await this.#database.read
      .selectFrom('hosts')
      .select('uuid')
      .where('address', '=', address)
      .where('uuid', '!=', uuid)
      .where('driver', '=', 'ssh')
      .where('sealedPrivateKey', 'is', null)
      .executeTakeFirst()
    return found !== undefined
  }

  /** By status, for the metrics. */
  countByStatus(): Promise<{ status: HostRow['status']; count: number }[]> {
    return this.#database.read
      .selectFrom('hosts')
      .select(['status', ({ fn }) => fn.countAll<number>().as('count')])
      .groupBy('status')
      .execute()
  }

  /** One by one, as conditions find them; the row of the host has the map. */
  async replaceLabels(tx: Tx, host: Pick<HostRow, 'uuid' | 'createDate'>, labels: Labels): Promise<void> {
    await tx.deleteFrom('hostLabels').where('hostUuid', '=', host.uuid).execute()
    const rows = Object.entries(labels).map(([label, labelValue]) => ({
      hostUuid: host.uuid,
      label,
      labelValue,
      hostCreateDate: host.createDate,
    }))
    if (rows.length > 0) await tx.insertInto('hostLabels').values(rows).execute()
  }

  listIdentities() {
    return this.#database.read.selectFrom('hosts').select(['address', 'sn', 'managementNodeUuid', 'labels']).execute()
  }
}
