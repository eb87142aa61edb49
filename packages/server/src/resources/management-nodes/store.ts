import type { Database, Engine, Tx } from '@wharf/database/database.ts'
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

const nodes = expressionBuilder<Tables, never>().selectFrom('managementNodes').select('uuid')
/** Subqueries: the uuids of the nodes whose heartbeats have stopped, and of the others. */
export const lostNodes = nodes.where('status', '=', 'Dead')
export const aliveNodes = nodes.where('status', '=', 'Alive')

/** The rows of the management nodes. */
export class NodeStore {
  readonly lostNodes = lostNodes
  readonly #database: Database

  constructor(database: Database) {
    this.#database = database
  }

  async upsert(tx: Tx, row: Omit<NodeRow, 'lastOpDate'>): Promise<void> {
    const { uuid: _, createDate: __, ...change } = row
    await tx
      .insertInto('managementNodes')
      .values({ ...row, lastOpDate: databaseNow(this.#database.engine) })
      .onConflict((conflict) =>
        conflict.column('uuid').doUpdateSet({ ...change, lastOpDate: heartbeat(this.#database.engine) }),
      )
      .execute()
  }

  find(uuid: string, from?: Tx): Promise<NodeRow | undefined> {
    return (from ?? this.#database.read)
      .selectFrom('managementNodes')
      .selectAll()
      .where('uuid', '=', uuid)
      .executeTakeFirst()
  }

  /** With the current time of the database, to compare with its last heartbeat. */
  findWithTime(uuid: string) {
    return this.#database.read
      .selectFrom('managementNodes')
      .select(['url', 'status', 'lastOpDate', databaseNow(this.#database.engine).as('now')])
      .where('uuid', '=', uuid)
      .executeTakeFirst()
  }

  /** Returns the time of the heartbeat. */
  touch(tx: Tx, uuid: string): Promise<{ lastOpDate: number } | undefined> {
    return tx
      .updateTable('managementNodes')
      .set({ lastOpDate: heartbeat(this.#database.engine), status: 'Alive' })
      .where('uuid', '=', uuid)
      .returning('lastOpDate')
      .executeTakeFirst()
  }

  /** Returns the nodes that are dead from now on. */
  markDead(tx: Tx, silentMs: number): Promise<{ uuid: string }[]> {
    return tx
      .updateTable('managementNodes')
      .set({ status: 'Dead' })
      .where('status', '=', 'Alive')
      .where(({ eb }) => eb('lastOpDate', '<', eb(databaseNow(this.#database.engine), '-', silentMs)))
      .returning('uuid')
      .execute()
  }

  list(): Promise<{ uuid: string; status: NodeRow['status'] }[]> {
    return this.#database.read.selectFrom('managementNodes').select(['uuid', 'status']).execute()
  }

  listHeartbeats(uuids: readonly string[], from?: Tx) {
    return (from ?? this.#database.read)
      .selectFrom('managementNodes')
      .select(['uuid', 'lastOpDate'])
      .where('uuid', 'in', uuids)
      .execute()
  }

  /** Of every node that ever used this database, by the database's own clock. */
  async listHeartbeatAges(): Promise<HeartbeatAge[]> {
    const rows = await this.#database.read
      .selectFrom('managementNodes')
      .select(['uuid', 'status', 'lastOpDate', databaseNow(this.#database.engine).as('now')])
      .execute()
    return rows.map(({ uuid, status, lastOpDate, now }) => ({ uuid, status, ageMs: Math.max(0, now - lastOpDate) }))
  }
}
