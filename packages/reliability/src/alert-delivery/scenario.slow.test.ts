import assert from 'node:assert/strict'
import { test } from 'node:test'
import { withSeed } from '../seeded-random.ts'
import { alertDelivery } from './scenario.ts'

const alerts = process.env.TEST_LONG ? 100 : 40

test('delivers repeated alerts once, in order, to chats that fail at random', (t) =>
  withSeed(async (random) => {
    const { messages, attempts, webhooks } = await alertDelivery(t, { alerts, random })
    assert.equal(messages, alerts)
    assert.ok(attempts > 1.5 * messages, `${attempts} attempts`)
    assert.ok(webhooks > alerts / 4, `${webhooks} webhooks`)
  }))
