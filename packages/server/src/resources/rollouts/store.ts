import { activeRolloutStates, busyTargetStates, type RolloutState, type TargetState } from '@wharf/contract'
import type { Database, Reader, Tx } from '@wharf/database/database.ts'
import { inBatches } from '@wharf/database/in-batches.ts'
import type { Tables } from '@wharf/database/tables.ts'
import { type Selectable, sql } from 'kysely'
import type { Counts } from './decide.ts'

export type RolloutRow = Selectable<Tables['rollouts']>
export type WaveRow = Selectable<Tables['rolloutWaves']>
export type TargetRow = Selectable<Tables['rolloutTargets']>

/** Literals, not parameters: only then do the engines use the indices of unfinished rollouts and of open targets. */
const active = activeRolloutStates.map((state) => sql.lit(state as RolloutState))
const open = sql.lit(1)

export class RolloutStore {
  readonly #database: Database

  constructor(database: Database) {
    this.#database = database
  }

  /**
   * Until the commit, only this transaction decides about the rollout. With `skipLocked` it is undefined while another
   * transaction does.
   */
  lock(tx: Tx, uuid: string, { skipLocked = false } = {}): Promise<RolloutRow | undefined> {
    const isPostgres = this.#database.engine === 'postgres'
    return tx
      .selectFrom('rollouts')
      .selectAll()
      .where('uuid', '=', uuid)
      .$if(isPostgres, (query) => query.forUpdate())
      .$if(isPostgres && skipLocked, (query) => query.skipLocked())
      .executeTakeFirst()
  }

  /** The rollouts that the coordinator may have to do something for. */
  async listActive(): Promise<Pick<RolloutRow, 'uuid' | 'dynamic' | 'state'>[]> {
    const rows = await this.#database.read
      .selectFrom('rollouts')
      .select(['uuid', 'dynamic', 'state', 'pauseReason', 'stopMode'])
      .where('state', 'in', active)
      .execute()
    return rows.filter(
      ({ state, pauseReason, stopMode }) =>
        stopMode !== null || (state === 'Paused' ? pauseReason === 'Window' : state !== 'AwaitingApproval'),
    )
  }

  /** An unfinished rollout that satisfies the condition. */
  findActive(
    tx: Tx,
    by: 'windowUuid' | 'releaseUuid',
    value: string,
  ): Promise<Pick<RolloutRow, 'uuid' | 'name'> | undefined> {
    return tx
      .selectFrom('rollouts')
      .select(['uuid', 'name'])
      .where('state', 'in', active)
      .where(by, '=', value)
      .limit(1)
      .executeTakeFirst()
  }

  findOfRelease(tx: Tx, releaseUuid: string): Promise<Pick<RolloutRow, 'uuid' | 'name'> | undefined> {
    const named = tx.selectFrom('rollouts').select(['uuid', 'name']).where('releaseUuid', '=', releaseUuid)
    return named.limit(1).executeTakeFirst()
  }

  listWaves(tx: Tx, rolloutUuid: string): Promise<WaveRow[]> {
    return tx.selectFrom('rolloutWaves').selectAll().where('rolloutUuid', '=', rolloutUuid).orderBy('number').execute()
  }

  insertWaves(tx: Tx, rows: readonly WaveRow[]): Promise<void> {
    return inBatches(rows, (batch) => tx.insertInto('rolloutWaves').values(batch).execute())
  }

  async updateWave(tx: Tx, uuid: string, change: Partial<WaveRow>): Promise<void> {
    await tx.updateTable('rolloutWaves').set(change).where('uuid', '=', uuid).execute()
  }

  /** The rows that were inserted: a host with an open target of the same software has none. */
  async insertTargets(tx: Tx, rows: readonly TargetRow[]): Promise<Set<string>> {
    const inserted = new Set<string>()
    await inBatches(rows, async (batch) => {
      const found = await tx
        .insertInto('rolloutTargets')
        .values(batch)
        .onConflict((conflict) => conflict.doNothing())
        .returning('uuid')
        .execute()
      for (const { uuid } of found) inserted.add(uuid)
    })
    return inserted
  }

  async countTargets(tx: Tx, rolloutUuid: string): Promise<Map<number, Counts>> {
    const rows = await tx
      .selectFrom('rolloutTargets')
      .select(['wave', 'state', ({ fn }) => fn.countAll<number>().as('count')])
      .where('rolloutUuid', '=', rolloutUuid)
      .groupBy(['state', 'wave'])
      .execute()
    const counts = new Map<number, Partial<Record<TargetState, number>>>()
    for (const { wave, state, count } of rows) counts.set(wave, { ...counts.get(wave), [state]: count })
    return counts
  }

  findTarget(uuid: string, from: Reader | Tx = this.#database.read): Promise<TargetRow | undefined> {
    return from.selectFrom('rolloutTargets').selectAll().where('uuid', '=', uuid).executeTakeFirst()
  }

  listBusy(tx: Tx, rolloutUuid: string): Promise<TargetRow[]> {
    return this.#targets(tx, rolloutUuid).where('state', 'in', busyTargetStates).execute()
  }

  listPending(tx: Tx, rolloutUuid: string, upToWave: number, limit: number): Promise<TargetRow[]> {
    return this.#targets(tx, rolloutUuid)
      .where('state', '=', 'Pending')
      .where('wave', '<=', upToWave)
      .orderBy('wave')
      .orderBy('sequence')
      .limit(limit)
      .execute()
  }

  listUnverified(tx: Tx, rolloutUuid: string, wave: number, limit: number): Promise<TargetRow[]> {
    return this.#targets(tx, rolloutUuid)
      .where('state', 'in', ['Succeeded', 'AlreadyInstalled'])
      .where('wave', '=', wave)
      .where('isVerified', '=', 0)
      .orderBy('sequence')
      .limit(limit)
      .execute()
  }

  /** Hosts that have what the rollout installed, the last first. */
  listChanged(tx: Tx, rolloutUuid: string, wave: number | null, limit: number): Promise<TargetRow[]> {
    return this.#targets(tx, rolloutUuid)
      .where('state', 'not in', busyTargetStates)
      .where('isChanged', '=', 1)
      .where('phase', '!=', 'Restore')
      .$if(wave !== null, (query) => query.where('wave', '=', wave ?? 0))
      .orderBy('sequence', 'desc')
      .limit(limit)
      .execute()
  }

  listTargets(rolloutUuid: string): Promise<TargetRow[]> {
    return this.#database.read
      .selectFrom('rolloutTargets')
      .selectAll()
      .where('rolloutUuid', '=', rolloutUuid)
      .orderBy('wave')
      .orderBy('sequence')
      .execute()
  }

  async listHostUuids(rolloutUuid: string): Promise<Set<string>> {
    const rows = await this.#database.read
      .selectFrom('rolloutTargets')
      .select('hostUuid')
      .where('rolloutUuid', '=', rolloutUuid)
      .execute()
    return new Set(rows.map(({ hostUuid }) => hostUuid))
  }

  #targets(tx: Tx, rolloutUuid: string) {
    return tx.selectFrom('rolloutTargets').selectAll().where('rolloutUuid', '=', rolloutUuid)
  }

  /** Changes targets of a rollout that have one of these states, and returns their uuids. */
  async changeTargets(
    tx: Tx,
    rolloutUuid: string,
    states: readonly TargetState[],
    change: Partial<TargetRow>,
  ): Promise<string[]> {
    const rows = await tx
      .updateTable('rolloutTargets')
      .set(change)
      .where('rolloutUuid', '=', rolloutUuid)
      .where('state', 'in', states)
      .returning('uuid')
      .execute()
    return rows.map(({ uuid }) => uuid)
  }

  async updateTarget(tx: Tx, uuid: string, change: Partial<TargetRow>): Promise<void> {
    await tx.updateTable('rolloutTargets').set(change).where('uuid', '=', uuid).execute()
  }

  /** Frees the hosts for other rollouts. */
  async closeTargets(tx: Tx, rolloutUuid: string): Promise<void> {
    await tx
      .updateTable('rolloutTargets')
      .set({ isOpen: 0 })
      .where('rolloutUuid', '=', rolloutUuid)
      .where('isOpen', '=', open)
      .execute()
  }

  /** The targets of this rollout that another one prevents from being opened again. */
  findConflictOf(tx: Tx, rolloutUuid: string): Promise<OpenTarget | undefined> {
    return tx
      .selectFrom('rolloutTargets as own')
      .innerJoin('rolloutTargets as other', (join) =>
        join
          .onRef('other.hostUuid', '=', 'own.hostUuid')
          .onRef('other.softwareName', '=', 'own.softwareName')
          .on('other.isOpen', '=', open)
          .onRef('other.rolloutUuid', '!=', 'own.rolloutUuid'),
      )
      .innerJoin('rollouts', 'rollouts.uuid', 'other.rolloutUuid')
      .select(['other.hostUuid', 'other.hostName', 'rollouts.uuid as rolloutUuid', 'rollouts.name as rolloutName'])
      .where('own.rolloutUuid', '=', rolloutUuid)
      .limit(1)
      .executeTakeFirst()
  }

  async openTargets(tx: Tx, rolloutUuid: string): Promise<void> {
    await tx.updateTable('rolloutTargets').set({ isOpen: 1 }).where('rolloutUuid', '=', rolloutUuid).execute()
  }

  /** The open targets of a piece of software, in any rollout. */
  listOpen(softwareName: string, from: Reader | Tx = this.#database.read): Promise<OpenTarget[]> {
    return from
      .selectFrom('rolloutTargets')
      .innerJoin('rollouts', 'rollouts.uuid', 'rolloutTargets.rolloutUuid')
      .select(['hostUuid', 'hostName', 'rollouts.uuid as rolloutUuid', 'rollouts.name as rolloutName'])
      .where('rolloutTargets.softwareName', '=', softwareName)
      .where('isOpen', '=', open)
      .execute()
  }
}

/** A host that an unfinished rollout of some software has. */
export interface OpenTarget {
  readonly hostUuid: string
  readonly hostName: string
  readonly rolloutUuid: string
  readonly rolloutName: string
}
