import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testEngine } from '@wharf/testkit'
import { withSeed } from '../seeded-random.ts'
import { alertDelivery } from './scenario.ts'

/** PostgreSQL runs two nodes with half the load. */
const alerts = testEngine === 'sqlite' ? 200 : 100

test('delivers repeated alerts once, in order, to chats that fail at random', (t) =>
  withSeed(async (random) => {
    const { messages, attempts, webhooks } = await alertDelivery(t, { alerts, random })
    assert.equal(messages, alerts)
    assert.ok(attempts > 1.5 * messages, `${attempts} attempts`)
    assert.ok(webhooks > alerts / 4, `${webhooks} webhooks`)
  }))
