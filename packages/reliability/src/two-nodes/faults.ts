import { setTimeout as delay } from 'node:timers/promises'
import type { Chance } from '../chance.ts'
import type { Stage } from './stage.ts'
import type { Work } from './work.ts'

const pauseMs = 15_000
/** After a cut, until the node that watches over the host has looked at it again: every 30 s, and a look may take 15. */
const untilLookedMs = 50_000
/** Of a take-over; how long it may take is for whoever reads the figure. */
const maxWaitMs = 60_000

interface Scene {
  readonly stage: Stage
  readonly work: Work
  readonly chance: Chance
  /** Which node it happens to, where it happens to one. */
  readonly victim: 0 | 1
}

/** How long it took until another node was at the work of the one it happened to, in milliseconds. */
type Fault = (scene: Scene) => Promise<number | undefined>

const victimOf = ({ stage, victim }: Scene) => stage.nodes[victim]

/** A job hangs in the hands of the victim, which is then struck: how long until another begins with that job? */
async function untilTakenOver(scene: Scene, strike: () => Promise<void> | void): Promise<number> {
  const { work, victim } = scene
  const job = await work.hangAt(victim, victimOf(scene).client)
  const struckAt = Date.now()
  await strike()
  return (await work.marks.begun(job, 2, maxWaitMs)) - struckAt
}

export const faults = {
  /** kill -9; it is started again when its work is in other hands. */
  kill: async (scene) => {
    const { process } = victimOf(scene)
    const taken = await untilTakenOver(scene, () => process.kill())
    await process.start()
    return taken
  },

  /** It stands still for longer than its leases last, and wakes in the middle of what it did. */
  pause: async (scene) => {
    const { process } = victimOf(scene)
    let isOver: Promise<void> | undefined
    const taken = await untilTakenOver(scene, () => {
      process.send('SIGSTOP')
      isOver = delay(pauseMs)
    })
    await isOver
    process.send('SIGCONT')
    return taken
  },

  /** PostgreSQL is restarted under both nodes. */
  postgres: async ({ stage: { postgres }, chance }) => {
    await postgres.halt(chance.pick(['fast', 'immediate']))
    await delay(chance.between(0, 1500))
    await postgres.resume()
    return undefined
  },

  /** The cable of a node: clients, the other node, PostgreSQL and the host are out of reach, and nobody is told. */
  link: async (scene) => {
    const { machine } = victimOf(scene)
    const from = Date.now()
    const taken = await untilTakenOver(scene, () => machine.linkDown())
    await machine.linkUp()
    scene.stage.cuts.push({ from, to: Date.now() + untilLookedMs })
    return taken
  },

  /** Only its way to PostgreSQL, half open or broken: its programs on the host run on, and clients still reach it. */
  database: async (scene) => {
    const { gate } = victimOf(scene)
    const isHalfOpen = scene.chance.happens(0.5)
    const taken = await untilTakenOver(scene, () => (isHalfOpen ? gate.freeze() : gate.close()))
    if (isHalfOpen) await gate.close()
    await gate.open()
    return taken
  },

  /** Only its way to the host, and for less than ssh bears: what runs there is not disturbed. */
  host: async (scene) => {
    const from = Date.now()
    const restore = await victimOf(scene).machine.blackholeTo(scene.stage.host)
    await delay(scene.chance.between(2000, 4000))
    await restore()
    scene.stage.cuts.push({ from, to: Date.now() + untilLookedMs })
    return undefined
  },
} satisfies Record<string, Fault>

export type FaultName = keyof typeof faults

export const faultNames = Object.keys(faults) as FaultName[]
