import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testEngine } from '@wharf/testkit'
import { withSeed } from '../seeded-random.ts'
import { idempotentCreates } from './scenario.ts'

const count = 10_000

test('ten thousand creates with lost answers create exactly as many records, with equal answers', (t) =>
  withSeed(async (random) => {
    const { created, callers, lost, seconds } = await idempotentCreates(t, { count, random })
    assert.equal(created, count)
    const cuts = Object.entries(lost).map(([where, times]) => `${times} in the ${where}`)
    t.diagnostic(
      `${testEngine}: ${count} creates by ${callers} callers, connections cut ${cuts.join(', ')}: ` +
        `${created} records, ${seconds.toFixed(0)} s`,
    )
  }))
