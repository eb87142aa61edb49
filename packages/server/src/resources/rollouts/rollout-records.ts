import { RolloutInventory } from '@wharf/contract'
import { afterCommit, type Tx } from '@wharf/database/database.ts'
import { type RecordDeps, Records } from '../../records/records.ts'
import type { RolloutRow, RolloutStore, TargetRow, WaveRow } from './store.ts'

export const resourceType = 'Rollout'

/** The rows of rollouts, waves and targets; every change writes its event in the same transaction. */
export class RolloutRecords extends Records<RolloutRow> {
  readonly #events: RecordDeps['events']
  readonly #store: RolloutStore
  readonly #listeners: ((rolloutUuid: string) => void)[] = []

  constructor(deps: RecordDeps & { readonly store: RolloutStore }) {
    super(deps, { inventory: RolloutInventory })
    this.#events = deps.events
    this.#store = deps.store
  }

  /** Called after the commit of a change that may allow the next step of a rollout. */
  onProgress(listener: (rolloutUuid: string) => void): void {
    this.#listeners.push(listener)
  }

  reportProgress(tx: Tx, rolloutUuid: string): void {
    afterCommit(tx, () => {
      for (const listener of this.#listeners) listener(rolloutUuid)
    })
  }

  async changeWave(tx: Tx, uuid: string, change: Partial<WaveRow>): Promise<void> {
    await this.#store.updateWave(tx, uuid, { ...change, lastOpDate: this.clock.now() })
    await this.#events.record(tx, { type: 'Updated', resourceType: 'RolloutWave', uuid })
  }

  async changeTarget(tx: Tx, uuid: string, change: Partial<TargetRow>): Promise<void> {
    await this.#store.updateTarget(tx, uuid, { ...change, lastOpDate: this.clock.now() })
    await this.#events.record(tx, { type: 'Updated', resourceType: 'RolloutTarget', uuid })
  }

  /** The targets of a rollout that have one of these states. */
  async changeTargets(
    tx: Tx,
    rolloutUuid: string,
    states: readonly TargetRow['state'][],
    change: Partial<TargetRow>,
  ): Promise<number> {
    const uuids = await this.#store.changeTargets(tx, rolloutUuid, states, { ...change, lastOpDate: this.clock.now() })
    await this.#events.recordAll(
      tx,
      uuids.map((uuid) => ({ type: 'Updated', resourceType: 'RolloutTarget', uuid })),
    )
    return uuids.length
  }

  async addWaves(tx: Tx, rows: readonly WaveRow[]): Promise<void> {
    await this.#store.insertWaves(tx, rows)
    await this.#events.recordAll(
      tx,
      rows.map(({ uuid }) => ({ type: 'Created', resourceType: 'RolloutWave', uuid })),
    )
  }

  /** The uuids of those that were inserted: a host with an open target of the same software gets none. */
  async addTargets(tx: Tx, rows: readonly TargetRow[]): Promise<ReadonlySet<string>> {
    const inserted = await this.#store.insertTargets(tx, rows)
    await this.#events.recordAll(
      tx,
      [...inserted].map((uuid) => ({ type: 'Created', resourceType: 'RolloutTarget', uuid })),
    )
    return inserted
  }
}
