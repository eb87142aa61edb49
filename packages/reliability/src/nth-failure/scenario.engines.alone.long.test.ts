import assert from 'node:assert/strict'
import { test } from 'node:test'
import { interceptedServerNeedsRoot, testEngine } from '@wharf/testkit'
import { failUntilClean, summarize } from './scenario.ts'
import { withScenarios } from './scenarios.ts'

/** Five hundred in all. */
const maxRuns = testEngine === 'sqlite' ? 400 : 100

test('every write fails once: each failure is a clear error and leaves a sound state', {
  skip: interceptedServerNeedsRoot,
  timeout: 30 * 60_000,
}, async (t) => {
  const figures = await withScenarios(t, 'long', (scenarios) => failUntilClean(scenarios, { maxRuns }))
  t.diagnostic(summarize(figures))
  for (const [refusal, times] of figures.refusals) t.diagnostic(`${times} × ${refusal}`)
  assert.ok(figures.runs <= maxRuns)
  assert.equal(figures.exhausted, figures.sites)
})
