import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hostsNeedRoot, testEngine } from '@wharf/testkit'
import { withSeed } from '../seeded-random.ts'
import { faultNames } from './faults.ts'
import { twoNodes } from './scenario.ts'
import { summarize } from './summarize.ts'

const maxTakeOverMs = 15_000

// nodes that share a database share a PostgreSQL
if (testEngine === 'postgres')
  test(
    'two nodes at 50 calls/s with a kill, a pause and another fault lose and repeat nothing',
    {
      skip: hostsNeedRoot,
      timeout: 300_000,
    },
    (t) =>
      withSeed(async (random) => {
        const third = random.pick(faultNames.filter((name) => name !== 'kill' && name !== 'pause'))
        const rounds = ['kill', 'pause', third] as const
        const figures = await twoNodes(t, random, { rounds, callsPerSecond: 50, packages: 8 })
        t.diagnostic(summarize(figures))
        assert.deepEqual(figures.faults, [])
        assert.ok(figures.repeated > 0, 'no call was affected by the faults')
        assert.ok(figures.handovers > 0, 'no job changed its owner')
        assert.ok(Math.max(...figures.takeoverMs) <= maxTakeOverMs, `taken over after ${figures.takeoverMs} ms`)
      }),
  )
