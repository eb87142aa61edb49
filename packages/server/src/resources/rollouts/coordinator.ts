import { failedTargetStates, isActiveRollout, type TargetState } from '@wharf/contract'
import type { Database, Tx } from '@wharf/database/database.ts'
import type { Clock } from '@wharf/platform/clock.ts'
import type { Log } from '@wharf/platform/log.ts'
import { SingleFlight } from '@wharf/platform/single-flight.ts'
import { asSystem } from '../../audit/audit-source.ts'
import type { SystemEventRecorder } from '../../events/system-event.ts'
import { type ApplyDeps, applyDecision } from './apply-decision.ts'
import { countOf, decide } from './decide.ts'
import { rolloutEvent } from './rollout-event.ts'
import type { RolloutRecords } from './rollout-records.ts'
import { type ReadSnapshot, readSnapshot, type SnapshotDeps } from './snapshot.ts'
import type { RolloutRow, RolloutStore } from './store.ts'

export interface CoordinatorDeps extends SnapshotDeps, ApplyDeps {
  readonly database: Database
  readonly clock: Clock
  readonly log: Log
  readonly store: RolloutStore
  readonly records: RolloutRecords
  readonly systemEvents: SystemEventRecorder
  /** Adds hosts that match the selector of a dynamic rollout since. */
  readonly addHosts: (rolloutUuid: string) => Promise<void>
}

export interface CoordinatorLimits {
  /** Every unfinished rollout is checked this often, in addition to every end of a target. */
  pollMs: number
  /** The ends of targets within this time are handled together. */
  gatherMs: number
  /** How often a dynamic rollout looks for hosts. */
  joinMs: number
}

const coordinatorLimits: CoordinatorLimits = { pollMs: 1000, gatherMs: 20, joinMs: 5000 }

/** A rollout that never settles would block the others. */
const maxRounds = 10_000

const succeededStates: readonly TargetState[] = ['Succeeded', 'AlreadyInstalled']

/**
 * Advances rollouts. It keeps nothing in memory: a decision is read, made and stored in one transaction that locks the
 * rollout, so that any node can make the next.
 */
export class Coordinator {
  readonly #deps: CoordinatorDeps
  readonly #limits: CoordinatorLimits
  /** Rollouts with a check that has not started yet. */
  readonly #requested = new Map<string, NodeJS.Timeout>()
  readonly #running = new Map<string, Promise<void>>()
  readonly #joinedAt = new Map<string, number>()
  readonly #polling = new SingleFlight()
  #timer: NodeJS.Timeout | undefined
  #isStopped = false

  constructor(deps: CoordinatorDeps, limits: Partial<CoordinatorLimits> = {}) {
    this.#deps = deps
    this.#limits = { ...coordinatorLimits, ...limits }
    deps.records.onProgress((uuid) => this.request(uuid))
  }

  start(): void {
    this.#timer = setInterval(() => void this.#polling.run(() => this.#poll()), this.#limits.pollMs)
    void this.#polling.run(() => this.#poll())
  }

  async stop(): Promise<void> {
    this.#isStopped = true
    clearInterval(this.#timer)
    for (const timer of this.#requested.values()) clearTimeout(timer)
    this.#requested.clear()
    await this.#polling.run(async () => {})
    await Promise.all(this.#running.values())
  }

  /** Checks a rollout soon; requests of the same moment are one check. */
  request(uuid: string): void {
    if (this.#isStopped || this.#requested.has(uuid)) return
    const timer = setTimeout(() => {
      this.#requested.delete(uuid)
      void this.#check(uuid, false)
    }, this.#limits.gatherMs)
    this.#requested.set(uuid, timer)
  }

  async #poll(): Promise<void> {
    try {
      const rollouts = await this.#deps.store.listActive()
      const active = new Set(rollouts.map(({ uuid }) => uuid))
      for (const uuid of this.#joinedAt.keys()) if (!active.has(uuid)) this.#joinedAt.delete(uuid)
      for (const { uuid, dynamic, state } of rollouts) {
        if (dynamic === 1 && state === 'Running') await this.#addHosts(uuid)
        await this.#check(uuid, true)
      }
    } catch (error) {
      this.#deps.log.warn({ err: error }, 'rollouts are checked again later')
    }
  }

  async #addHosts(uuid: string): Promise<void> {
    const now = performance.now()
    if (now - (this.#joinedAt.get(uuid) ?? Number.NEGATIVE_INFINITY) < this.#limits.joinMs) return
    this.#joinedAt.set(uuid, now)
    await asSystem('CoordinateRollouts', () => this.#deps.addHosts(uuid))
  }

  /** One check of a rollout at a time on this node; `skipLocked`: another node that does it is not waited for. */
  #check(uuid: string, skipLocked: boolean): Promise<void> {
    const before = this.#running.get(uuid)
    if (before && skipLocked) return before
    const checked = (before ?? Promise.resolve())
      .then(() => (this.#isStopped ? undefined : this.#advance(uuid, skipLocked)))
      .catch((error: unknown) =>
        this.#deps.log.warn({ err: error, rollout: uuid }, 'the rollout is checked again later'),
      )
      .finally(() => {
        if (this.#running.get(uuid) === checked) this.#running.delete(uuid)
      })
    this.#running.set(uuid, checked)
    return checked
  }

  #advance(uuid: string, skipLocked: boolean): Promise<void> {
    const { database, store, clock } = this.#deps
    const advance = async (tx: Tx): Promise<void> => {
      const before = await store.lock(tx, uuid, { skipLocked })
      let rollout = before
      for (let round = 0; rollout !== undefined && isActiveRollout(rollout.state) && round < maxRounds; round++) {
        const snapshot = await readSnapshot(tx, this.#deps, rollout, clock.now())
        const decisions = decide(snapshot)
        for (const decision of decisions) await applyDecision(tx, this.#deps, snapshot, decision)
        // a cancellation takes effect when its job ends
        if (decisions.every(({ kind }) => kind === 'cancelTarget')) break
        rollout = await store.lock(tx, uuid)
      }
      if (before === undefined || rollout === undefined) return
      await this.#storeCounts(tx, await readSnapshot(tx, this.#deps, rollout, clock.now()))
      await this.#report(tx, before, rollout)
    }
    return asSystem('CoordinateRollouts', () => database.transaction(advance))
  }

  /** As the last write of the transaction. */
  async #report(tx: Tx, before: RolloutRow, rollout: RolloutRow): Promise<void> {
    const hasChanged = rollout.state !== before.state || rollout.pauseReason !== before.pauseReason
    const event = hasChanged ? rolloutEvent(rollout) : undefined
    if (event) await this.#deps.systemEvents.record(tx, event)
  }

  /** The counts in the rows of the rollout and its waves, for lists. */
  async #storeCounts(tx: Tx, { rollout, waves, counts }: ReadSnapshot): Promise<void> {
    const { records } = this.#deps
    const totals = { succeededCount: 0, failedCount: 0, skippedCount: 0 }
    for (const wave of waves) {
      const ofWave = counts.get(wave.number)
      const found = {
        succeededCount: countOf(ofWave, succeededStates),
        failedCount: countOf(ofWave, failedTargetStates),
        skippedCount: countOf(ofWave, ['Skipped']),
      }
      for (const name of ['succeededCount', 'failedCount', 'skippedCount'] as const) totals[name] += found[name]
      if (differs(wave, found)) await records.changeWave(tx, wave.uuid, found)
    }
    if (differs(rollout, totals)) await records.update(tx, rollout.uuid, totals)
  }
}

type CountColumns = Pick<RolloutRow, 'succeededCount' | 'failedCount' | 'skippedCount'>

const differs = (row: CountColumns, found: CountColumns): boolean =>
  row.succeededCount !== found.succeededCount ||
  row.failedCount !== found.failedCount ||
  row.skippedCount !== found.skippedCount
