import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testEngine } from '@wharf/testkit'
import { withSeed } from '../seeded-random.ts'
import { alertDelivery } from './scenario.ts'

const alerts = 10_000

test('delivers each of ten thousand alerts once, in order, to chats that fail at random', (t) =>
  withSeed(async (random) => {
    const { webhooks, messages, attempts, unacknowledged, seconds } = await alertDelivery(t, { alerts, random })
    assert.equal(messages, alerts)
    t.diagnostic(
      `${testEngine}: ${alerts} alerts in ${webhooks} webhooks, each stored once; ${messages} messages, each ` +
        `acknowledged once and in order, after ${attempts} attempts (${unacknowledged} read and not acknowledged, ` +
        `repeated under the same key), ${seconds.toFixed(0)} s`,
    )
  }))
