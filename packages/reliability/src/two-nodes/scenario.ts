import { setTimeout as delay } from 'node:timers/promises'
import type { Chance } from '../chance.ts'
import { Calls } from './calls.ts'
import { type FaultName, faults } from './faults.ts'
import { Load } from './load.ts'
import { recordOwners } from './owners.ts'
import { Stage } from './stage.ts'
import { judge, type Verdict } from './verdict.ts'
import { Work } from './work.ts'

export interface TwoNodesOptions {
  /** One for each round. */
  readonly rounds: readonly FaultName[]
  readonly callsPerSecond: number
  readonly packages: number
  /** Hears of each round. */
  readonly tell?: (line: string) => void
}

export interface TwoNodesFigures extends Verdict {
  readonly rounds: readonly FaultName[]
  readonly seconds: number
  /** Begun, in each second. */
  readonly callsPerSecond: number
  /** Sent again with their key, because a node or its answer was lost. */
  readonly repeated: number
  /** From the fault to another node's work on the job, of each round that had one, in milliseconds. */
  readonly takeOverMs: readonly number[]
}

const maxRecoveryMs = 90_000
/** By each node, before the next fault. */
const calmCalls = 20

/** Two nodes on one PostgreSQL under a steady load, and one fault after the other. */
export async function twoNodes(
  t: { after(work: () => Promise<void>): void },
  chance: Chance,
  { rounds, callsPerSecond, packages, tell = () => {} }: TwoNodesOptions,
): Promise<TwoNodesFigures> {
  const stage = await Stage.set(t)
  const calls = new Calls(
    stage.nodes.map(({ client }) => client),
    chance.of(1),
  )
  const work = await Work.prepare(stage, packages, chance.of(2))
  const load = await Load.prepare(stage.nodes[0], { calls, work, chance: chance.of(3) })
  await recordOwners(stage)

  const began = performance.now()
  load.start(callsPerSecond)
  const takeOverMs: number[] = []
  const drawn = chance.of(4)
  try {
    for (const [round, name] of rounds.entries()) {
      await recovered(stage, calls, work)
      await delay(drawn.between(0, 500))
      const victim = drawn.pick([0, 1] as const)
      const taken = await faults[name]({ stage, work, chance: drawn, victim })
      if (taken !== undefined) takeOverMs.push(taken)
      tell(
        `round ${round + 1}: ${name} of node ${victim + 1}${taken === undefined ? '' : `, taken over in ${taken} ms`}`,
      )
    }
    await recovered(stage, calls, work)
  } finally {
    await load.stop()
  }
  const seconds = (performance.now() - began) / 1000
  await untilAllEnded(stage)
  const verdict = await judge({ stage, calls, work, load })
  return { ...verdict, rounds, seconds, callsPerSecond: load.begun / seconds, repeated: calls.repeated, takeOverMs }
}

const fromActiveJobs = `from "jobs" where "state" not in ('Succeeded', 'Failed', 'Cancelled')`

/** Both nodes are alive, answer and reach the host; the jobs that were caught by the last fault have ended. */
async function recovered(stage: Stage, calls: Calls, { hanging }: Work): Promise<void> {
  const caught = hanging.map((lane) => lane.package)
  const before = [...calls.answeredBy]
  await until('both nodes are well', maxRecoveryMs, async () => {
    const alive = await stage.ask(`select 1 from "managementNodes" where "status" = 'Alive'`)
    const answer = calls.answeredBy.every((count, node) => count >= (before[node] ?? 0) + calmCalls)
    const active = await stage.ask(`select 1 ${fromActiveJobs} and "subjectUuid" = any($1)`, [caught])
    const hosts = await stage.ask(`select 1 from "hosts" where "driver" = 'ssh' and "status" = 'Connected'`)
    return answer && alive.length === 2 && active.length === 0 && hosts.length === 1
  })
}

const untilAllEnded = (stage: Stage): Promise<void> =>
  until('every job has ended', maxRecoveryMs, async () => {
    return (await stage.ask(`select 1 ${fromActiveJobs}`)).length === 0
  })

async function until(what: string, withinMs: number, isSo: () => Promise<boolean>): Promise<void> {
  for (const deadline = performance.now() + withinMs; !(await isSo().catch(() => false)); await delay(100))
    if (performance.now() > deadline) throw new Error(`in vain: ${what}`)
}
