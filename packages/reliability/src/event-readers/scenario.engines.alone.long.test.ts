import assert from 'node:assert/strict'
import { test } from 'node:test'
import { replayMs } from '@wharf/server/events/events.ts'
import { testEngine } from '@wharf/testkit'
import { withSeed } from '../seeded-random.ts'
import { eventReaders } from './scenario.ts'

const sizes = { readers: 50, events: 100_000 }

test('a hundred thousand events to readers that come and go: every one is heard once, in order', (t) =>
  withSeed(async (random) => {
    const { events, rolledBack, connections, emptyConnections, seconds } = await eventReaders(t, { ...sizes, random })
    assert.ok(events >= sizes.events)
    assert.ok(seconds * 1000 < replayMs, 'who is away for longer than events are kept is promised nothing')
    t.diagnostic(
      `${testEngine}: ${events} events (and ${rolledBack} changes that were rolled back) to ${sizes.readers} readers over ` +
        `${connections} connections (${emptyConnections} hung up before an event came): none lost, repeated or out of order, ` +
        `${seconds.toFixed(0)} s`,
    )
  }))
