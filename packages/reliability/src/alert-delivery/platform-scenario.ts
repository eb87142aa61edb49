import assert from 'node:assert/strict'
import type { AlertPlatformFixture } from '@wharf/testkit'
import type { SeededRandom } from '../seeded-random.ts'
import type { Change } from './alert-changes.ts'
import type { UnreliableChat } from './unreliable-chat.ts'

const maxTries = 200

/** One platform, its alerts in order, and the chat that receives them. */
export interface PlatformScenario {
  readonly changes: readonly Change[]
  readonly webhooks: readonly Change[][]
  readonly platform: AlertPlatformFixture
  readonly chat: UnreliableChat
}

/** As Alertmanager: retries until it is accepted. A second instance often sends the same, concurrently or later. */
export async function sendAlerts({ webhooks, platform }: PlatformScenario, random: SeededRandom): Promise<number> {
  let sent = 0
  const send = async (webhook: readonly Change[]): Promise<void> => {
    for (let tries = 0; tries < maxTries; tries++) {
      sent++
      const answer = await platform.send(...webhook).catch(() => undefined)
      if (answer === undefined) continue
      assert.equal(answer.status, 200, answer.text)
      return
    }
    throw new Error(`a webhook was not accepted in ${maxTries} attempts`)
  }
  const late: Promise<void>[] = []
  for (const webhook of webhooks) {
    const copies = random.between(0, 2)
    await Promise.all(Array.from({ length: 1 + copies }, () => send(webhook)))
    if (random.happens(0.3)) late.push(send(webhook))
  }
  await Promise.all(late)
  return sent
}

/** Each change has one acknowledged message, in order, and one key. */
export function checkDelivery({ changes, chat: { received, faults } }: PlatformScenario): void {
  const marks = changes.map(({ mark }) => mark)
  assert.deepEqual(faults, [])
  assert.deepEqual(
    received.filter(({ isAcknowledged }) => isAcknowledged).map(({ mark }) => mark),
    marks,
    'each is acknowledged once, in its order',
  )
  // a chat that deduplicates by the key shows each once as well, although it received some of them twice
  const byKey = new Map<string, string>()
  for (const { key, mark } of received) {
    assert.equal(byKey.get(key) ?? mark, mark, 'a key is of one message')
    byKey.set(key, mark)
  }
  assert.deepEqual([...byKey.values()], marks, 'a message has one key')
}
