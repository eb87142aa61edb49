import assert from 'node:assert/strict'
import { setTimeout as delay } from 'node:timers/promises'
import { isActiveRollout, type RolloutState } from '@wharf/contract'
import { Fleet, type FleetServer } from './fleet.ts'

/** One or several nodes, of which one at a time is killed. */
export interface KillableNodes extends FleetServer {
  /** Kills follow each other at random, at most this long after the last one was ready again. */
  readonly maxPauseMs: number
  /** kill -9 of a node; resolves when it is ready again. */
  kill(): Promise<void>
  /** kill -9 of a node that stays away while the others do this work; absent when there are no others. */
  runWithoutOne?(work: () => Promise<unknown>): Promise<void>
}

type Scenario = (trial: KilledRollouts) => Promise<void>

const maxKillsPerRound = 14
/** So that most kills interrupt a hook. */
const hookSeconds = 0.4
const maxRolloutMs = 120_000

/** Waves of 1, 3 and 1 hosts. */
const hostCount = 5
const waveSizes = ['1', '4', '100%']
const waves = [['web-1'], ['web-2', 'web-3', 'web-4'], ['web-5']]

/** Rollouts and rollbacks during which nodes are killed, judged by what the hosts themselves recorded. */
export class KilledRollouts {
  readonly #nodes: KillableNodes
  #kills = 0
  #killsPerRound = maxKillsPerRound

  constructor(nodes: KillableNodes) {
    this.#nodes = nodes
  }

  /** Scenarios in turn, until nodes were killed so often. */
  async run(scenarios: readonly Scenario[], kills: number): Promise<void> {
    this.#killsPerRound = Math.min(kills, maxKillsPerRound)
    for (let round = 0; this.#kills < kills; round++) await scenarios[round % scenarios.length]?.(this)
  }

  /** Hosts with version 1.0.0, each with a configuration of its own, and the release 2.0.0. */
  async start(): Promise<KilledFleet> {
    const fleet = await Fleet.create(this.#nodes, hostCount)
    await Promise.all(['1.0.0', '2.0.0'].map((version) => fleet.publish(version, { hookSeconds })))
    await fleet.until(await fleet.create('1.0.0', { config: { at: '{{ host.name }}' }, waves: ['100%'] }), 'Succeeded')
    return new KilledFleet(fleet)
  }

  /** Kills nodes at random moments, until the rollout has ended or a share of this round's kills is used up. */
  async killDuring(fleet: Fleet, uuid: string, expected: string, share: number): Promise<void> {
    const isEnded = async () => !isActiveRollout((await fleet.get(uuid)).state as RolloutState)
    const waitForEnd = () => fleet.until(uuid, expected, maxRolloutMs)
    const { maxPauseMs, runWithoutOne } = this.#nodes
    const last = this.#kills + this.#killsPerRound * share - (runWithoutOne ? 1 : 0)
    while (this.#kills < last) {
      await delay(Math.random() * maxPauseMs)
      if (await isEnded()) break
      await this.#nodes.kill()
      this.#kills++
    }
    if (runWithoutOne === undefined || (await isEnded())) return void (await waitForEnd())
    this.#kills++
    await runWithoutOne.call(this.#nodes, waitForEnd)
  }
}

/** What the hosts had before the rollout under test, to compare with what they have after it. */
class KilledFleet {
  readonly fleet: Fleet
  readonly #before: (string | undefined)[]

  constructor(fleet: Fleet) {
    this.fleet = fleet
    this.#before = this.#installed
  }

  get #names(): string[] {
    return [...this.fleet.hosts.keys()]
  }

  get #installed(): (string | undefined)[] {
    return this.#names.map((name) => this.fleet.installed(name))
  }

  /** The hooks after the installation of 1.0.0; one that was interrupted runs again. */
  #effects(name: string): string[] {
    return this.fleet.effects(name).slice(1)
  }

  assertEffects(expected: (name: string) => readonly string[]): void {
    for (const name of this.#names) assert.deepEqual(this.#effects(name), expected(name), name)
  }

  /** Rule 2: no host of a wave is touched before the last hook of the wave before it. */
  assertWaves(): void {
    const times = waves.map((names) =>
      names.flatMap((name) => this.#linesSince(name, '1.0.0').map(({ atNs }) => Number(atNs))),
    )
    for (const [index, ofWave] of times.slice(1).entries())
      assert.ok(Math.min(...ofWave) >= Math.max(...(times[index] ?? [])), `wave ${index + 2} started early`)
  }

  /** Without the installation of this version. */
  #linesSince(name: string, version: string) {
    const lines = this.fleet.lines(name)
    return lines.slice(lines.findIndex(({ kind, hook }) => kind === 'end' && hook === `install ${version}`) + 1)
  }

  /** Rule 3: on a host one hook at a time; one that was interrupted never ends. */
  assertOneAtATime(): void {
    for (const name of this.#names) {
      let running = ''
      for (const { kind, hook, pid } of this.fleet.lines(name)) {
        if (kind === 'end') assert.equal(`${hook} ${pid}`, running, `two hooks at a time on ${name}`)
        running = kind === 'start' ? `${hook} ${pid}` : ''
      }
    }
  }

  /** Rule 5. */
  assertRestored(): void {
    assert.deepEqual(this.#installed, this.#before)
  }
}

const upgraded = ['uninstall 1.0.0', 'install 2.0.0']
const restored = ['uninstall 2.0.0', 'install 1.0.0']

/** Two users start the same rollout at once; the one that is accepted ends, and is then rolled back. */
export const upgradeAndRollBack: Scenario = async (trial) => {
  const one = await trial.start()
  const { fleet } = one
  const fields = { waves: waveSizes, maxParallel: 2, unreachable: 'wait' }
  const answers = await Promise.all([fleet.post('2.0.0', fields), fleet.post('2.0.0', fields)])
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 409])
  const [{ uuid }] = answers.flatMap(({ body }) => body.inventory ?? []) as [{ uuid: string }]
  await trial.killDuring(fleet, uuid, 'Succeeded', 0.5)
  one.assertEffects(() => upgraded)
  one.assertWaves()
  assert.equal((await fleet.act(uuid, 'rollBack')).status, 200)
  await trial.killDuring(fleet, uuid, 'RolledBack', 0.5)
  one.assertEffects(() => [...upgraded, ...restored])
  one.assertRestored()
  one.assertOneAtATime()
}

/** The second wave fails: on the hosts that were started at once, and on no other; all that was changed is restored. */
export const failAndRollBack: Scenario = async (trial) => {
  const one = await trial.start()
  const { fleet } = one
  for (const name of waves[1] ?? []) fleet.set(name, 'fail', 'install-2.0.0')
  const limits = { maxParallel: 2, maxFailures: 0, onFailure: 'rollBackAll', unreachable: 'wait' }
  const uuid = await fleet.create('2.0.0', { waves: waveSizes, ...limits })
  await trial.killDuring(fleet, uuid, 'RolledBack', 1)
  const touched = ['web-1', 'web-2', 'web-3']
  one.assertEffects((name) => (touched.includes(name) ? [...upgraded, ...restored] : []))
  one.assertRestored()
  one.assertOneAtATime()
}
