import type { Database, Engine, Reader, Tx } from '@wharf/database/database.ts'
import { databaseNow } from '@wharf/database/database-now.ts'
import type { Tables } from '@wharf/database/tables.ts'
import { expressionBuilder, type Selectable, sql } from 'kysely'

export type NodeRow = Selectable<Tables['managementNodes']>

export interface HeartbeatAge extends Pick<NodeRow, 'uuid' | 'status'> {
  readonly ageMs: number
}

/**
 * Heartbeats have the time of the database, so the clocks of nodes do not matter. On SQLite each is later than the one
 * before, also after the clock was set back: they identify an older copy of the database.
 */
const heartbeat = (engine: Engine) =>
  engine === 'sqlite'
    ? sql<number>`max("managementNodes"."lastOpDate" + 1, ${databaseNow(engine)})`
    : databaseNow(engine)

export const upsertNode = async (tx: Tx, engine: Engine, row: Omit<NodeRow, 'lastOpDate'>): Promise<void> => {
  const { uuid: _, createDate: __, ...change } = row
  await tx
    .insertInto('managementNodes')
    .values({ ...row, lastOpDate: databaseNow(engine) })
    .onConflict((conflict) => conflict.column('uuid').doUpdateSet({ ...change, lastOpDate: heartbeat(engine) }))
    .execute()
}

export const findNode = (from: Reader | Tx, uuid: string): Promise<NodeRow | undefined> =>
  from.selectFrom('managementNodes').selectAll().where('uuid', '=', uuid).executeTakeFirst()

/** With the current time of the database, to compare with its last heartbeat. */
export const findNodeAndTime = (from: Reader, engine: Engine, uuid: string) =>
  from
    .selectFrom('managementNodes')
    .select(['url', 'status', 'lastOpDate', databaseNow(engine).as('now')])
    .where('uuid', '=', uuid)
    .executeTakeFirst()

/** Returns the time of the heartbeat. */
export const touchNode = (tx: Tx, engine: Engine, uuid: string): Promise<{ lastOpDate: number } | undefined> =>
  tx
    .updateTable('managementNodes')
    .set({ lastOpDate: heartbeat(engine), status: 'Alive' })
    .where('uuid', '=', uuid)
    .returning('lastOpDate')
    .executeTakeFirst()

/** Returns the nodes that are dead from now on. */
export const markDead = (tx: Tx, engine: Engine, silentMs: number): Promise<{ uuid: string }[]> =>
  tx
    .updateTable('managementNodes')
    .set({ status: 'Dead' })
    .where('status', '=', 'Alive')
    .where(({ eb }) => eb('lastOpDate', '<', eb(databaseNow(engine), '-', silentMs)))
    .returning('uuid')
    .execute()

const nodes = expressionBuilder<Tables, never>().selectFrom('managementNodes').select('uuid')
/** Subqueries: the uuids of the nodes whose heartbeats have stopped, and of the others. */
export const lostNodes = nodes.where('status', '=', 'Dead')
export const aliveNodes = nodes.where('status', '=', 'Alive')

export const listNodes = (from: Reader): Promise<{ uuid: string; status: NodeRow['status'] }[]> =>
  from.selectFrom('managementNodes').select(['uuid', 'status']).execute()

export const listHeartbeats = (from: Reader | Tx, uuids: readonly string[]) =>
  from.selectFrom('managementNodes').select(['uuid', 'lastOpDate']).where('uuid', 'in', uuids).execute()

/** Of every node that ever used this database, by the database's own clock. */
export async function listHeartbeatAges({ read, engine }: Database): Promise<HeartbeatAge[]> {
  const rows = await read
    .selectFrom('managementNodes')
    .select(['uuid', 'status', 'lastOpDate', databaseNow(engine).as('now')])
    .execute()
  return rows.map(({ uuid, status, lastOpDate, now }) => ({ uuid, status, ageMs: Math.max(0, now - lastOpDate) }))
}
