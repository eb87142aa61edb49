import { setTimeout as delay } from 'node:timers/promises'
import type { SeededRandom } from '../seeded-random.ts'
import type { PackageWork } from './package-work.ts'
import type { TwoNodeSetup } from './two-node-setup.ts'

const pauseMs = 15_000
/** After a cut, until the node that watches over the host has looked at it again: every 30 s, and a look may take 15. */
const reprobeMs = 50_000
/** Of a take-over; how long it may take is for whoever reads the figure. */
const maxWaitMs = 60_000

interface FaultContext {
  readonly setup: TwoNodeSetup
  readonly work: PackageWork
  readonly random: SeededRandom
  /** Which node it happens to, where it happens to one. */
  readonly victim: 0 | 1
}

/** How long it took until another node was at the work of the one it happened to, in milliseconds. */
type Fault = (context: FaultContext) => Promise<number | undefined>

const victimOf = ({ setup, victim }: FaultContext) => setup.nodes[victim]

/** A job hangs in the hands of the victim, which is then struck: how long until another begins with that job? */
async function measureTakeover(context: FaultContext, inject: () => Promise<void> | void): Promise<number> {
  const { work, victim } = context
  const job = await work.startHangingJob(victim, victimOf(context).client)
  const injectedAt = Date.now()
  await inject()
  return (await work.marks.waitForStart(job, 2, maxWaitMs)) - injectedAt
}

export const faults = {
  /** kill -9; it is started again when its work is in other hands. */
  kill: async (context) => {
    const { process } = victimOf(context)
    const takeoverMs = await measureTakeover(context, () => process.kill())
    await process.start()
    return takeoverMs
  },

  /** It stands still for longer than its leases last, and wakes in the middle of what it did. */
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

  /** The cable of a node: clients, the other node, PostgreSQL and the host are out of reach, and nobody is told. */
  link: async (context) => {
    const { machine } = victimOf(context)
    const from = Date.now()
    const takeoverMs = await measureTakeover(context, () => machine.linkDown())
    await machine.linkUp()
    context.setup.cuts.push({ from, to: Date.now() + reprobeMs })
    return takeoverMs
  },

  /** Only its way to PostgreSQL, half open or broken: its programs on the host run on, and clients still reach it. */
  database: async (context) => {
    const { proxy } = victimOf(context)
    const isHalfOpen = context.random.happens(0.5)
    const takeoverMs = await measureTakeover(context, () => (isHalfOpen ? proxy.freeze() : proxy.close()))
    if (isHalfOpen) await proxy.close()
    await proxy.open()
    return takeoverMs
  },

  /** Only its way to the host, and for less than ssh bears: what runs there is not disturbed. */
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
