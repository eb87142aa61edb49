import { type Operation, operations } from '@wharf/contract'
import type { SeededRandom } from '../seeded-random.ts'
import { checkAfterwards } from './check-afterwards.ts'
import type { FuzzFixture } from './fuzz-fixture.ts'
import { FuzzWorker } from './fuzz-worker.ts'
import { kindAt } from './pool.ts'
import { Sender } from './sender.ts'

/** Concurrent workers: jobs wait for other machines most of their time. */
const workerCount = 4
/** An upload ends with the right one, so most are tried on one that still runs. */
const slicesPerRound = 4
/** A worker stops after this many faults. */
const maxFaults = 5
const maxShown = 5
/** Of some operations few valid calls can succeed. While one never succeeded, rounds of valid calls for its kind follow. */
const maxExtraRounds = 20
/** Share of the cases that are as they should be; less where programs are started, which takes most of the time of a run. */
const shareOf = (operation: Operation): number => (changesThisUser(operation) ? 0 : usualShare(operation))
/** Where hosts have no files of their own, it would change the keys that sign in as the user who runs the test. */
const changesThisUser = ({ name }: Operation): boolean => name === 'RotateHostKey'
const usualShare = ({ mode, name }: Operation): number =>
  mode === 'job' || ['GetHostKeys', 'ReconnectHost', 'GetDirectoryUsage'].includes(name) ? 0.2 : 0.5

/** In the first round one worker breaks an operation and another makes a valid call of it, however few rounds follow. */
function firstShareOf(operation: Operation, worker: number): number {
  const turn = (operations.indexOf(operation) + worker) % workerCount
  if (turn === 0 || changesThisUser(operation)) return 0
  return turn === 1 ? 1 : usualShare(operation)
}

export interface FuzzFigures {
  readonly calls: number
  readonly valid: number
  readonly broken: number
  /** Operations of which not one valid call succeeded. */
  readonly neverSucceeded: readonly string[]
  /** Operations without an invalid call. */
  readonly neverBroken: readonly string[]
}

/** Calls every operation this often, in random order, valid and invalid. Throws when an answer is wrong. */
export async function fuzzContract(
  fixture: FuzzFixture,
  { casesPerOperation, random }: { casesPerOperation: number; random: SeededRandom },
): Promise<FuzzFigures> {
  const clients = { admin: fixture.admin, reader: fixture.reader, nobody: fixture.server.anonymous }
  const sender = new Sender(fixture.server.url, clients)
  try {
    const all = Array.from({ length: workerCount }, (_, n) => ({
      worker: new FuzzWorker(fixture, sender, random.fork(n)),
      random: random.fork(100 + n),
    }))
    const figures = all.map(({ worker }) => worker.figures)
    const hasSucceeded = ({ name }: Operation): boolean => figures.some(({ succeeded }) => succeeded.has(name))
    const pending = (): Operation[] =>
      operations
        .filter(({ name }) => ![...testedElsewhere, ...succeedsByChance].includes(name))
        .filter((one) => !hasSucceeded(one))
    const rounds = Math.ceil(casesPerOperation / workerCount)
    await Promise.all(
      all.map(async ({ worker, random }, n) => {
        await runWorker(worker, random, { operations, rounds: 1, validShare: (one) => firstShareOf(one, n) })
        await runWorker(worker, random, { operations, rounds: rounds - 1, validShare: shareOf })
      }),
    )
    for (let extra = 0; extra < maxExtraRounds && pending().length > 0; extra++) {
      const kinds = new Set(pending().map(({ path }) => kindAt(path)))
      const related = operations.filter(({ path }) => kinds.has(kindAt(path)))
      await Promise.all(
        all.map(({ worker, random }) =>
          runWorker(worker, random, {
            operations: related,
            rounds: 1,
            validShare: (one) => (changesThisUser(one) ? 0 : 1),
          }),
        ),
      )
    }
    const sum = (of: (one: FuzzWorker['figures']) => number): number =>
      figures.reduce((total, one) => total + of(one), 0)
    const faults = figures.flatMap((one) => one.faults)
    if (faults.length > 0)
      throw new Error(`${faults.length} answers are wrong\n\n${faults.slice(0, maxShown).join('\n\n')}`)
    const faultsAfterwards = await checkAfterwards(fixture)
    if (faultsAfterwards.length > 0) throw new Error(faultsAfterwards.join('\n'))
    const [valid, broken] = [sum((one) => one.valid), sum((one) => one.broken)]
    const neverSucceeded = operations
      .filter((operation) => !hasSucceeded(operation) && !succeedsByChance.includes(operation.name))
      .map(({ name }) => name)
    const neverBroken = operations
      .filter(({ name }) => !figures.some(({ brokenOperations }) => brokenOperations.has(name)))
      .map(({ name }) => name)
    return { calls: valid + broken, valid, broken, neverSucceeded, neverBroken }
  } finally {
    sender.close()
  }
}

interface RoundOptions {
  readonly operations: readonly Operation[]
  readonly rounds: number
  readonly validShare: (operation: Operation) => number
}

/** Rounds over these operations, each in another order. */
async function runWorker(
  worker: FuzzWorker,
  random: SeededRandom,
  { operations, rounds, validShare }: RoundOptions,
): Promise<void> {
  for (let round = 0; round < rounds && worker.figures.faults.length < maxFaults; round++) {
    await worker.alerts()
    for (let n = 0; n < slicesPerRound; n++) await worker.slices()
    for (const operation of random.shuffled(operations))
      await (random.happens(validShare(operation)) ? worker.valid(operation) : worker.broken(operation))
  }
}

/**
 * Operations that succeed only with a uuid that no call returns, a second factor, a code that a device shows, an identity
 * provider, one or three machines, a hypervisor, two versions of a package on a host, a second user, or hosts of a rollout.
 * Other tests cover them.
 */
export const testedElsewhere = [
  'GetAuditDigest',
  'GetAuditEntry',
  'UpdateClusterConfig',
  'RevealClusterCredential',
  'RotateHostKey',
  'ConfirmAuthenticator',
  'CreatePasskey',
  'CreateRecoveryCodes',
  'RemoveAuthenticator',
  'RemovePasskey',
  'ConfirmDeviceLogin',
  'DenyDeviceLogin',
  'FindDeviceLogin',
  'LogInByOidc',
  'StartOidcSignIn',
  'CreateMigrateVmInstance',
  'DeleteMigrateVmInstance',
  'ApproveRollout',
  'PromoteRollout',
  'RetryRollout',
  'RollBackSoftwarePackage',
  'UpgradeSoftwarePackage',
]

/**
 * Few of the random jobs have failed and can be repeated, few packages are still installed when they are verified, and few
 * rollouts are still paused when they are resumed: http/retry-job.engines.slow.test.ts,
 * software-packages/upgrade.engines.slow.test.ts and rollouts/rollout-flow.slow.test.ts do so every time.
 */
const succeedsByChance: readonly string[] = ['RetryApiJob', 'VerifySoftwarePackage', 'ResumeRollout']
