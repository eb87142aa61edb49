import assert from 'node:assert/strict'
import { test } from 'node:test'
import { replayMs } from '@wharf/server/events/outbox.ts'
import { testEngine } from '@wharf/testkit'
import { withSeed } from '../seeded-random.ts'
import { eventReaders } from './scenario.ts'

const sizes = { readers: 50, events: 100_000 }

test('reconnecting readers receive each of a hundred thousand events once, in order', (t) =>
  withSeed(async (random) => {
    const { events, rolledBack, connections, emptyConnections, seconds } = await eventReaders(t, { ...sizes, random })
    assert.ok(events >= sizes.events)
    assert.ok(seconds * 1000 < replayMs, 'the run is longer than events are kept')
    t.diagnostic(
      `${testEngine}: ${events} events (and ${rolledBack} changes that were rolled back) to ${sizes.readers} readers over ` +
        `${connections} connections (${emptyConnections} disconnected before an event arrived): none lost, repeated or out of order, ` +
        `${seconds.toFixed(0)} s`,
    )
  }))
