import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testEngine } from '@wharf/testkit'
import { withSeed } from '../seeded-random.ts'
import { alertDelivery } from './scenario.ts'

/** The second engine has two nodes, and half as much to do. */
const alerts = testEngine === 'sqlite' ? 500 : 250

test('alerts that are sent again and again, to chats that fail at random: each is told once, in order', (t) =>
  withSeed(async (random) => {
    const { messages, attempts, webhooks } = await alertDelivery(t, { alerts, random })
    assert.equal(messages, alerts)
    assert.ok(attempts > 1.5 * messages, `${attempts} attempts`)
    assert.ok(webhooks > alerts / 4, `${webhooks} webhooks`)
  }))
