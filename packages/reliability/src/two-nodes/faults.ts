import { setTimeout as delay } from 'node:timers/promises'
import type { SeededRandom } from '../seeded-random.ts'
import type { PackageWork } from './package-work.ts'
import type { TwoNodeSetup } from './two-node-setup.ts'

const pauseMs = 15_000
/** After a cut, until the host is probed again: every 30 s, and a probe may take 15 s. */
const reprobeMs = 50_000
/** The limit of a takeover; the tests set their own. */
const maxWaitMs = 60_000

interface FaultContext {
  readonly setup: TwoNodeSetup
  readonly work: PackageWork
  readonly random: SeededRandom
  /** The affected node, for faults of one node. */
  readonly victim: 0 | 1
}

/** Milliseconds until another node took over the victim's work. */
type Fault = (context: FaultContext) => Promise<number | undefined>

const victimOf = ({ setup, victim }: FaultContext) => setup.nodes[victim]

/** A job hangs at the victim when the fault is injected: milliseconds until another node starts that job. */
async function measureTakeover(context: FaultContext, inject: () => Promise<void> | void): Promise<number> {
  const { work, victim } = context
  const job = await work.startHangingJob(victim, victimOf(context).client)
  const injectedAt = Date.now()
  await inject()
  return (await work.marks.waitForStart(job, 2, maxWaitMs)) - injectedAt
}

export const faults = {
  /** kill -9; restarted once another node has taken over. */
  kill: async (context) => {
    const { process } = victimOf(context)
    const takeoverMs = await measureTakeover(context, () => process.kill())
    await process.start()
    return takeoverMs
  },

  /** Pauses it for longer than its leases last, then resumes it. */
  pause: async (context) => {
    const { process } = victimOf(context)
    let isOver: Promise<void> | undefined
    const takeoverMs = await measureTakeover(context, () => {
      process.send('SIGSTOP')
      isOver = delay(pauseMs)
    })
    await isOver
    process.send('SIGCONT')
    return takeoverMs
  },

  /** PostgreSQL is restarted under both nodes. */
  postgres: async ({ setup: { postgres }, random }) => {
    await postgres.halt(random.pick(['fast', 'immediate']))
    await delay(random.between(0, 1500))
    await postgres.resume()
    return undefined
  },

  /** Cuts the link of a node: clients, the other node, PostgreSQL and the host become unreachable, without an error. */
  link: async (context) => {
    const { machine } = victimOf(context)
    const from = Date.now()
    const takeoverMs = await measureTakeover(context, () => machine.linkDown())
    await machine.linkUp()
    context.setup.cuts.push({ from, to: Date.now() + reprobeMs })
    return takeoverMs
  },

  /** Cuts only its connection to PostgreSQL, half open or closed: its programs on the host continue, and clients still reach it. */
  database: async (context) => {
    const { proxy } = victimOf(context)
    const isHalfOpen = context.random.happens(0.5)
    const takeoverMs = await measureTakeover(context, () => (isHalfOpen ? proxy.freeze() : proxy.close()))
    if (isHalfOpen) await proxy.close()
    await proxy.open()
    return takeoverMs
  },

  /** Cuts only its connection to the host, for less than the timeout of ssh: programs there continue. */
  host: async (context) => {
    const from = Date.now()
    const restore = await victimOf(context).machine.blackholeTo(context.setup.host)
    await delay(context.random.between(2000, 4000))
    await restore()
    context.setup.cuts.push({ from, to: Date.now() + reprobeMs })
    return undefined
  },
} satisfies Record<string, Fault>

export type FaultName = keyof typeof faults

export const faultNames = Object.keys(faults) as FaultName[]
