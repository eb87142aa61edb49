import type { Change, RolloutInventory, RolloutTargetInventory, RolloutWaveInventory, Wharf } from '@wharf/sdk'
import { isActive, type RolloutSnapshot } from './snapshot.ts'

/** As many as fit a condition of a query. */
const uuidsPerQuery = 60
/** With more changed hosts than this, all of them are read in pages. */
const maxReadSingly = 600
const pageSize = 2000

/** Keeps a snapshot of a rollout up to date: reads what events report as changed, and nothing else. */
export class RolloutFeed {
  readonly #wharf: Wharf
  readonly #uuid: string
  #snapshot: RolloutSnapshot | undefined
  #isRolloutStale = true
  #areWavesStale = true
  /** 'all' before the first read, and when events may have been missed. */
  #staleTargets: Set<string> | 'all' = 'all'

  constructor(wharf: Wharf, uuid: string) {
    this.#wharf = wharf
    this.#uuid = uuid
  }

  /** Everything is read again. */
  markAll(): void {
    this.#isRolloutStale = true
    this.#areWavesStale = true
    this.#staleTargets = 'all'
  }

  /** Whether the event concerns this rollout; what it reports is read again. */
  mark({ resourceType, uuid, type }: Pick<Change, 'resourceType' | 'uuid' | 'type'>): boolean {
    if (resourceType === 'Rollout' && uuid === this.#uuid) {
      this.#isRolloutStale = true
      return true
    }
    const isNew = type === 'Created'
    if (resourceType === 'RolloutWave' && (isNew || this.#snapshot?.waves.some((wave) => wave.uuid === uuid))) {
      this.#areWavesStale = true
      return true
    }
    if (resourceType !== 'RolloutTarget' || !(isNew || this.#snapshot?.targets.has(uuid))) return false
    if (this.#staleTargets !== 'all') this.#staleTargets.add(uuid)
    return true
  }

  async read(): Promise<RolloutSnapshot> {
    const before = this.#snapshot
    const rollout = this.#isRolloutStale || before === undefined ? await this.#readRollout() : before.rollout
    // events of its waves and hosts may follow the one of its end
    if (!isActive(rollout) && (before === undefined || isActive(before.rollout))) this.markAll()
    const waves = this.#areWavesStale || before === undefined ? await this.#readWaves() : before.waves
    const targets = await this.#readTargets(before?.targets)
    this.#snapshot = { rollout, waves, targets }
    return this.#snapshot
  }

  /** Marked as read before the request: a change during the request is read again. */
  async #readRollout(): Promise<RolloutInventory> {
    this.#isRolloutStale = false
    return this.#wharf.rollouts.one(this.#uuid)
  }

  async #readWaves(): Promise<RolloutWaveInventory[]> {
    this.#areWavesStale = false
    const waves = await Array.fromAsync(this.#wharf.rolloutWaves.all(this.#uuid))
    return waves.sort((a, b) => a.number - b.number)
  }

  async #readTargets(before: RolloutSnapshot['targets'] = new Map()): Promise<RolloutSnapshot['targets']> {
    const stale = this.#staleTargets
    if (stale !== 'all' && stale.size === 0) return before
    this.#staleTargets = new Set()
    if (stale === 'all' || stale.size > maxReadSingly)
      return byUuid(await Array.fromAsync(this.#wharf.rolloutTargets.all(this.#uuid, { limit: pageSize })))
    const uuids = [...stale]
    const read: RolloutTargetInventory[] = []
    for (let from = 0; from < uuids.length; from += uuidsPerQuery) {
      const q = [`uuid?=${uuids.slice(from, from + uuidsPerQuery).join(',')}`]
      read.push(...(await Array.fromAsync(this.#wharf.rolloutTargets.all(this.#uuid, { q }))))
    }
    return new Map([...before, ...byUuid(read)])
  }
}

const byUuid = (targets: readonly RolloutTargetInventory[]): Map<string, RolloutTargetInventory> =>
  new Map(targets.map((target) => [target.uuid, target]))
