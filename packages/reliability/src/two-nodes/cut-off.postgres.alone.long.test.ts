import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hostsNeedRoot, testEngine } from '@wharf/testkit'
import { withSeed } from '../seeded-random.ts'
import { twoNodes } from './scenario.ts'
import { summarize } from './summarize.ts'

const maxTakeOverMs = 15_000

if (testEngine === 'postgres')
  test('a node that is cut off from PostgreSQL during writes is taken over within 15 s', { skip: hostsNeedRoot }, (t) =>
    withSeed(async (random) => {
      const rounds = ['database', 'link', 'database', 'database', 'link', 'database'] as const
      const log = (line: string): void => t.diagnostic(line)
      const figures = await twoNodes(t, random, { rounds, callsPerSecond: 50, packages: 8, log })
      t.diagnostic(summarize(figures))
      assert.deepEqual(figures.faults, [])
      assert.ok(Math.max(...figures.takeoverMs) <= maxTakeOverMs, `taken over after ${figures.takeoverMs} ms`)
    }),
  )
