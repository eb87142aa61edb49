import { setTimeout as delay } from 'node:timers/promises'
import type { SeededRandom } from '../seeded-random.ts'
import { Calls } from './calls.ts'
import { checkRun, type RunResults } from './check-run.ts'
import { type FaultName, faults } from './faults.ts'
import { Load } from './load.ts'
import { recordOwners } from './owners.ts'
import { PackageWork } from './package-work.ts'
import { TwoNodeSetup } from './two-node-setup.ts'

export interface TwoNodesOptions {
  /** One for each round. */
  readonly rounds: readonly FaultName[]
  readonly callsPerSecond: number
  readonly packages: number
  /** Receives a line for each round. */
  readonly log?: (line: string) => void
}

export interface TwoNodesFigures extends RunResults {
  readonly rounds: readonly FaultName[]
  readonly seconds: number
  /** Started per second. */
  readonly callsPerSecond: number
  /** Sent again with their key, because a node or its answer was lost. */
  readonly repeated: number
  /** From the fault to another node's work on the job, of each round that had one, in milliseconds. */
  readonly takeoverMs: readonly number[]
}

const maxRecoveryMs = 90_000
/** By each node, before the next fault. */
const recoveryCalls = 20

/** Two nodes on one PostgreSQL under a steady load, and one fault after the other. */
export async function twoNodes(
  t: { after(work: () => Promise<void>): void },
  random: SeededRandom,
  { rounds, callsPerSecond, packages, log = () => {} }: TwoNodesOptions,
): Promise<TwoNodesFigures> {
  const setup = await TwoNodeSetup.start(t)
  const calls = new Calls(
    setup.nodes.map(({ client }) => client),
    random.fork(1),
  )
  const work = await PackageWork.prepare(setup, packages, random.fork(2))
  const load = await Load.prepare(setup.nodes[0], { calls, work, random: random.fork(3) })
  await recordOwners(setup)

  const began = performance.now()
  load.start(callsPerSecond)
  const takeoverMs: number[] = []
  const faultRandom = random.fork(4)
  try {
    for (const [round, name] of rounds.entries()) {
      await waitForRecovery(setup, calls, work)
      await delay(faultRandom.between(0, 500))
      const victim = faultRandom.pick([0, 1] as const)
      const takeover = await faults[name]({ setup, work, random: faultRandom, victim })
      if (takeover !== undefined) takeoverMs.push(takeover)
      log(
        `round ${round + 1}: ${name} of node ${victim + 1}${takeover === undefined ? '' : `, taken over in ${takeover} ms`}`,
      )
    }
    await waitForRecovery(setup, calls, work)
  } finally {
    await load.stop()
  }
  const seconds = (performance.now() - began) / 1000
  await waitForAllJobs(setup)
  const results = await checkRun({ setup, calls, work, load })
  return { ...results, rounds, seconds, callsPerSecond: load.started / seconds, repeated: calls.repeated, takeoverMs }
}

const fromActiveJobs = `from "jobs" where "state" not in ('Succeeded', 'Failed', 'Cancelled')`

/** Both nodes are alive, answer and reach the host; the jobs affected by the last fault have ended. */
async function waitForRecovery(setup: TwoNodeSetup, calls: Calls, { hanging }: PackageWork): Promise<void> {
  const caught = hanging.map((worker) => worker.package)
  const before = [...calls.answeredBy]
  await waitUntil('both nodes are healthy', maxRecoveryMs, async () => {
    const alive = await setup.query(`select 1 from "managementNodes" where "status" = 'Alive'`)
    const answer = calls.answeredBy.every((count, node) => count >= (before[node] ?? 0) + recoveryCalls)
    const active = await setup.query(`select 1 ${fromActiveJobs} and "subjectUuid" = any($1)`, [caught])
    const hosts = await setup.query(`select 1 from "hosts" where "driver" = 'ssh' and "status" = 'Connected'`)
    return answer && alive.length === 2 && active.length === 0 && hosts.length === 1
  })
}

const waitForAllJobs = (setup: TwoNodeSetup): Promise<void> =>
  waitUntil('every job has ended', maxRecoveryMs, async () => {
    return (await setup.query(`select 1 ${fromActiveJobs}`)).length === 0
  })

async function waitUntil(what: string, withinMs: number, isTrue: () => Promise<boolean>): Promise<void> {
  for (const deadline = performance.now() + withinMs; !(await isTrue().catch(() => false)); await delay(100))
    if (performance.now() > deadline) throw new Error(`timed out: ${what}`)
}
