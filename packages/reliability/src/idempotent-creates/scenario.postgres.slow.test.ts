import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testEngine } from '@wharf/testkit'
import { withSeed } from '../seeded-random.ts'
import { idempotentCreates } from './scenario.ts'

/** PostgreSQL runs two nodes with half the load. */
const count = testEngine === 'sqlite' ? 300 : 80

test('creates with lost answers, retried until answered, create exactly as many records, with equal answers', (t) =>
  withSeed(async (random) => {
    const { created, lost } = await idempotentCreates(t, { count, random })
    assert.equal(created, count)
    for (const [where, times] of Object.entries(lost)) assert.ok(times > 8, `${times} were cut in the ${where}`)
  }))
