import assert from 'node:assert/strict'
import { test } from 'node:test'
import { interceptedServerNeedsRoot, testEngine } from '@wharf/testkit'
import { withSeed } from '../seeded-random.ts'
import { failSome, summarize } from './scenario.ts'
import { withScenarios } from './scenarios.ts'

/** Fewer do not cover every site, or in `npm test` every kind of site. */
const maxRuns = testEngine === 'sqlite' ? (process.env.TEST_LONG ? 33 : 25) : 7

test(
  'a failed write in an upload, an installation, a migration or a backup is a clear error and leaves a sound state',
  {
    skip: interceptedServerNeedsRoot,
    timeout: 120_000,
  },
  (t) =>
    withSeed(async (random) => {
      const figures = await withScenarios(t, 'short', (scenarios) => failSome(scenarios, { maxRuns, random }))
      t.diagnostic(summarize(figures))
      t.diagnostic([...figures.tried].join(', '))
      assert.ok(figures.runs <= maxRuns)
      assert.ok(figures.refused > 0)
      // the last calls of a run vary: a server also writes by timers
      assert.ok(figures.withFault >= (figures.runs - figures.counting) / 2, 'most runs have a call that fails')
    }),
)
