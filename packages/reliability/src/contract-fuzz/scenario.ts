import { type Operation, operations } from '@wharf/contract'
import type { Chance } from '../chance.ts'
import { aftermathOf } from './aftermath.ts'
import { Lane } from './lane.ts'
import { Sender } from './send.ts'
import type { FuzzWorld } from './world.ts'

/** So many callers at once: jobs wait for other machines most of their time. */
const lanes = 4
/** An upload ends with the right one, so most are tried on one that still runs. */
const slicesPerRound = 4
/** A lane that has found so many faults has found enough. */
const maxFaults = 5
const maxShown = 5
/** Of some operations few valid calls can succeed. Where it was none by chance, all is done so often at most. */
const maxTimes = 4
/** Share of the cases that are as they should be; less where programs are started, which takes most of the time of a run. */
const validShare = ({ mode, name }: Operation): number =>
  mode === 'job' || ['GetHostKeys', 'ReconnectHost', 'GetDirectoryUsage'].includes(name) ? 0.2 : 0.5

export interface FuzzFigures {
  readonly calls: number
  readonly valid: number
  readonly broken: number
  /** Operations of which not one valid call succeeded. */
  readonly neverSucceeded: readonly string[]
}

/** Every operation so often, in any order, valid and not. Throws when an answer is not as it must be. */
export async function fuzzContract(
  world: FuzzWorld,
  { casesPerOperation, chance }: { casesPerOperation: number; chance: Chance },
): Promise<FuzzFigures> {
  const clients = { admin: world.admin, reader: world.reader, nobody: world.server.anonymous }
  const sender = new Sender(world.server.url, clients)
  try {
    const all = Array.from({ length: lanes }, (_, n) => ({
      lane: new Lane(world, sender, chance.of(n)),
      chance: chance.of(100 + n),
    }))
    const figures = all.map(({ lane }) => lane.figures)
    const hasSucceeded = ({ name }: Operation): boolean => figures.some(({ succeeded }) => succeeded.has(name))
    const areEnough = (): boolean => operations.every((one) => onlyElsewhere.includes(one.name) || hasSucceeded(one))
    for (let times = 0; times < maxTimes && !areEnough(); times++)
      await Promise.all(all.map(({ lane, chance }) => runLane(lane, chance, Math.ceil(casesPerOperation / lanes))))
    const sum = (of: (one: Lane['figures']) => number): number => figures.reduce((total, one) => total + of(one), 0)
    const faults = figures.flatMap((one) => one.faults)
    if (faults.length > 0)
      throw new Error(`${faults.length} answers are not as they must be\n\n${faults.slice(0, maxShown).join('\n\n')}`)
    const complaints = await aftermathOf(world)
    if (complaints.length > 0) throw new Error(complaints.join('\n'))
    const [valid, broken] = [sum((one) => one.valid), sum((one) => one.broken)]
    const neverSucceeded = operations.filter((operation) => !hasSucceeded(operation)).map(({ name }) => name)
    return { calls: valid + broken, valid, broken, neverSucceeded }
  } finally {
    sender.close()
  }
}

/** Rounds over all operations, each in another order. */
async function runLane(lane: Lane, chance: Chance, rounds: number): Promise<void> {
  for (let round = 0; round < rounds && lane.figures.faults.length < maxFaults; round++) {
    await lane.alerts()
    for (let n = 0; n < slicesPerRound; n++) await lane.slices()
    for (const operation of shuffled(operations, chance))
      await (chance.happens(validShare(operation)) ? lane.valid(operation) : lane.broken(operation))
  }
}

function shuffled<T>(list: readonly T[], chance: Chance): T[] {
  const left = [...list]
  return list.flatMap(() => left.splice(chance.between(0, left.length - 1), 1))
}

/** What succeeds only with three machines, or with a hypervisor. Other tests have them. */
export const onlyElsewhere = [
  'UpdateClusterConfig',
  'RevealClusterCredential',
  'CreateMigrateVmInstance',
  'DeleteMigrateVmInstance',
]
