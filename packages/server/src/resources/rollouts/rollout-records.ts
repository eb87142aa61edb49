import { RolloutInventory } from '@wharf/contract'
import { afterCommit, type Tx } from '@wharf/database/database.ts'
import type { ResourceType } from '@wharf/database/tables.ts'
import { TransactionValue } from '@wharf/database/transaction-value.ts'
import type { Images } from '../../events/outbox.ts'
import { type RecordDeps, Records } from '../../records/records.ts'
import type { RolloutRow, RolloutStore, TargetRow, WaveRow } from './store.ts'

export const resourceType = 'Rollout'

type ChangeType = 'Created' | 'Updated'

/** The rows of rollouts, waves and targets; every commit that changes one writes one event for it. */
export class RolloutRecords extends Records<RolloutRow> {
  readonly #store: RolloutStore
  /** The records whose event a transaction contains: a second one would report the same commit again. */
  readonly #published = new TransactionValue<Set<string>>()
  readonly #listeners: ((rolloutUuid: string) => void)[] = []

  constructor(deps: RecordDeps & { readonly store: RolloutStore }) {
    super(deps, { inventory: RolloutInventory })
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
    await this.#publishAll(tx, 'Updated', 'RolloutWave', [uuid])
  }

  async changeTarget(tx: Tx, uuid: string, change: Partial<TargetRow>): Promise<void> {
    await this.#store.updateTarget(tx, uuid, { ...change, lastOpDate: this.clock.now() })
    await this.#publishAll(tx, 'Updated', 'RolloutTarget', [uuid])
  }

  /** The targets of a rollout that have one of these states. */
  async changeTargets(
    tx: Tx,
    rolloutUuid: string,
    states: readonly TargetRow['state'][],
    change: Partial<TargetRow>,
  ): Promise<number> {
    const uuids = await this.#store.changeTargets(tx, rolloutUuid, states, { ...change, lastOpDate: this.clock.now() })
    await this.#publishAll(tx, 'Updated', 'RolloutTarget', uuids)
    return uuids.length
  }

  async addWaves(tx: Tx, rows: readonly WaveRow[]): Promise<void> {
    await this.#store.insertWaves(tx, rows)
    const uuids = rows.map(({ uuid }) => uuid)
    await this.#publishAll(tx, 'Created', 'RolloutWave', uuids)
  }

  /** The uuids of those that were inserted: a host with an open target of the same software gets none. */
  async addTargets(tx: Tx, rows: readonly TargetRow[]): Promise<ReadonlySet<string>> {
    const inserted = await this.#store.insertTargets(tx, rows)
    await this.#publishAll(tx, 'Created', 'RolloutTarget', [...inserted])
    return inserted
  }

  protected override async publish(tx: Tx, type: string, uuid: string, images: Images): Promise<void> {
    if (type === 'Deleted') return super.publish(tx, type, uuid, images)
    this.events.collect(tx, [{ type, resourceType, uuid, ...images }])
    await this.#publishAll(tx, type as ChangeType, resourceType, [uuid])
  }

  /** Waves and targets are progress: the audit entries are those of the rollout and of the jobs on its hosts. */
  async #publishAll(tx: Tx, type: ChangeType, ofType: ResourceType, uuids: readonly string[]): Promise<void> {
    const published = this.#published.get(tx) ?? new Set()
    this.#published.set(tx, published)
    const first = uuids.filter((uuid) => !published.has(uuid))
    for (const uuid of first) published.add(uuid)
    await this.events.recordAll(
      tx,
      first.map((uuid) => ({ type, resourceType: ofType, uuid, isRoutine: true })),
    )
  }
}
