import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testEngine } from '@wharf/testkit'
import { withSeed } from '../seeded-random.ts'
import { idempotentCreates } from './scenario.ts'

/** The second engine has two nodes, and half as much to do. */
const count = testEngine === 'sqlite' ? 500 : 250

test('creates whose answers are lost, repeated until answered: exactly as many, each told the same', (t) =>
  withSeed(async (random) => {
    const { created, lost } = await idempotentCreates(t, { count, random })
    assert.equal(created, count)
    for (const [where, times] of Object.entries(lost)) assert.ok(times > 30, `${times} were cut in the ${where}`)
  }))
