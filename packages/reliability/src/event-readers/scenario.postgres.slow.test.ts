import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testEngine } from '@wharf/testkit'
import { withSeed } from '../seeded-random.ts'
import { eventReaders } from './scenario.ts'

/** PostgreSQL runs two nodes with half the load. */
const sizes = { readers: 12, events: testEngine === 'sqlite' ? 5000 : 600 }

test('readers that reconnect at random receive every event once, in order', (t) =>
  withSeed(async (random) => {
    const { events, rolledBack, connections } = await eventReaders(t, { ...sizes, random })
    assert.ok(events >= sizes.events)
    assert.ok(rolledBack >= 5, `${rolledBack} changes were rolled back`)
    assert.ok(connections >= 3 * sizes.readers, `${connections} connections`)
  }))
