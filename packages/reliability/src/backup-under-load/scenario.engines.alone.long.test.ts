import { test } from 'node:test'
import { testEngine } from '@wharf/testkit'
import { withSeed } from '../seeded-random.ts'
import { backupUnderLoad } from './scenario.ts'

const sizes = { rows: 50_000, rounds: 5, places: 500 }

test('consecutive backups under load are consistent snapshots, and every damage is detected', (t) =>
  withSeed(async (random) => {
    const { before, during, duringKept, bytes, seconds } = await backupUnderLoad(t, { ...sizes, random })
    t.diagnostic(
      `${testEngine}: ${sizes.rounds} backups beside ${writesPerSecond(during, seconds)} writes/s, ` +
        `${(bytes / sizes.rounds / 1e6).toFixed(1)} MB and ${(seconds / sizes.rounds).toFixed(1)} s each; all ${before} writes ` +
        `acknowledged before are in them, and ${duringKept} of ${during} made meanwhile, none partial or out of order; ` +
        `${sizes.places} flipped bytes and ${sizes.places} cuts refused`,
    )
  }))

const writesPerSecond = (writes: number, seconds: number): string => (writes / seconds).toFixed(0)
