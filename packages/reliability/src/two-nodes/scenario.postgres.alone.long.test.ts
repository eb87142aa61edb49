import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hostsNeedRoot, testEngine } from '@wharf/testkit'
import { withSeed } from '../seeded-random.ts'
import { faultNames } from './faults.ts'
import { twoNodes } from './scenario.ts'
import { summarize } from './summarize.ts'

const maxTakeOverMs = 15_000
/** A slow machine starts fewer calls; then the figures do not describe a load. */
const minCallsPerSecond = 80

if (testEngine === 'postgres')
  test(
    'two nodes at 100 calls/s with 100 random faults lose and repeat nothing, with takeovers within 15 s',
    {
      skip: hostsNeedRoot,
    },
    (t) =>
      withSeed(async (random) => {
        const rounds = Array.from({ length: 100 }, () => random.pick(faultNames))
        const log = (line: string): void => t.diagnostic(line)
        const figures = await twoNodes(t, random, { rounds, callsPerSecond: 100, packages: 16, log })
        t.diagnostic(summarize(figures))
        assert.deepEqual(figures.faults, [])
        assert.ok(Math.max(...figures.takeoverMs) <= maxTakeOverMs, `taken over after ${figures.takeoverMs} ms`)
        assert.ok(figures.callsPerSecond >= minCallsPerSecond, `${figures.callsPerSecond} calls/s`)
      }),
  )
