import assert from 'node:assert/strict'
import { setTimeout as delay } from 'node:timers/promises'
import { AlertPlatformFixture, Client, reverseCleanup, TestNodes, type TestServer, testEngine } from '@wharf/testkit'
import { LossyNetwork } from '../lossy-network.ts'
import type { SeededRandom } from '../seeded-random.ts'
import { changesOf, webhooksOf } from './alert-changes.ts'
import { checkDelivery, type PlatformScenario, sendAlerts } from './platform-scenario.ts'
import { chatTypes, mishaps, UnreliableChat } from './unreliable-chat.ts'

interface Figures {
  /** Changes of state, each stored once. */
  readonly alerts: number
  /** Webhooks that were sent, repetitions included. */
  readonly webhooks: number
  /** Each acknowledged once. */
  readonly messages: number
  /** Requests that reached the chats. */
  readonly attempts: number
  /** Those that were read and not acknowledged, so that the chat might have shown them: repeated under the same key. */
  readonly unacknowledged: number
  readonly seconds: number
}

/** The pauses between attempts are those of production up to 10 s, in a two-hundredth of the time. */
const clockSpeed = 200
const deliveryLimits = {
  retryMs: [1000, 2000, 5000, 10_000],
  maxDeliveryMs: 30 * 86_400_000,
  pollMs: 10,
  requestMs: 2000,
}
const maxSlowMs = 100
const environment = { WHARF_DOWNLOAD_ALLOW: '127.0.0.0/8' }
/** The scenario fails when no message is delivered for this long. */
const stallTimeoutMs = 30_000

/** Alerts from senders that repeat them, over a lossy network, to chats that fail nearly every second request. */
export async function alertDelivery(
  t: { after(work: () => Promise<void>): void },
  { alerts, random }: { alerts: number; random: SeededRandom },
): Promise<Figures> {
  const cleanup = reverseCleanup(t)
  const clock = acceleratedClock()
  const nodes = testEngine === 'postgres' ? 2 : 1
  const options = { environment, deliveryLimits, clock }
  const { servers } = await TestNodes.start(cleanup, nodes, Array(nodes).fill(options))
  const [{ admin }] = servers as [TestServer]
  const urls = servers.map(({ url }) => url)
  const network = await LossyNetwork.to(urls, cleanup, { random: random.fork(0), maxExchanges: 4 })

  const scenarios: PlatformScenario[] = []
  for (const [index, type] of chatTypes.entries()) {
    const own = random.fork(index + 1)
    const changes = changesOf(index, alerts / chatTypes.length, own)
    const { uuid, token } = await AlertPlatformFixture.create(servers[0] as TestServer, `platform ${index}`)
    const chat = await UnreliableChat.open(cleanup, type, { random: own.fork(0), clock, maxSlowMs })
    const params = { name: type, type, url: chat.url, platformUuids: [uuid] }
    const created = await admin.post('/v1/sns/application-endpoints/chatapp', { params })
    assert.equal(created.status, 200, created.text)
    const platform = new AlertPlatformFixture(new Client(network.url, { kind: 'none' }), { uuid, token })
    scenarios.push({ changes, webhooks: webhooksOf(changes, own), platform, chat })
  }

  const began = performance.now()
  const sent = await Promise.all(scenarios.map((scenario, n) => sendAlerts(scenario, random.fork(100 + n))))
  const chats = scenarios.map(({ chat }) => chat)
  await waitForDelivery(admin, chats)
  const seconds = (performance.now() - began) / 1000

  for (const scenario of scenarios) checkDelivery(scenario)
  assert.equal((await admin.get('/v1/zwatch/third-party/alerts?count=true&limit=1')).body.total, alerts)
  const messages = chats.reduce((sum, { received }) => sum + received.filter((one) => one.isAcknowledged).length, 0)
  const { total } = (await admin.get('/v1/sns/deliveries?q=status=Delivered&count=true&limit=1')).body
  assert.deepEqual([total, messages], [alerts, alerts])
  for (const { logText } of servers)
    assert.doesNotMatch(logText, /"level":(50|60)/, 'a failing chat is not an error of the server')
  const read = chats.reduce((sum, { received }) => sum + received.length, 0)
  const unread = chats.reduce((sum, chat) => sum + chat.mishaps['closed unread'], 0)
  for (const mishap of mishaps)
    assert.ok(chats.reduce((sum, chat) => sum + chat.mishaps[mishap], 0) > 0, `no chat met with ${mishap}`)
  return {
    alerts,
    webhooks: sent.reduce((sum, count) => sum + count),
    messages,
    attempts: read + unread,
    unacknowledged: read - messages,
    seconds,
  }
}

async function waitForDelivery(admin: Client, chats: readonly UnreliableChat[]): Promise<void> {
  const acknowledged = (): number =>
    chats.reduce((sum, { received }) => sum + received.filter((one) => one.isAcknowledged).length, 0)
  let last = { count: -1, at: 0 }
  for (;;) {
    const { body } = await admin.get('/v1/sns/deliveries?q=status=Waiting&count=true&limit=1')
    if (body.total === 0) return
    const count = acknowledged()
    if (count > last.count) last = { count, at: performance.now() }
    assert.ok(performance.now() - last.at < stallTimeoutMs, `${body.total} messages are waiting and none is delivered`)
    await delay(100)
  }
}

/** Pauses of seconds last milliseconds and keep their order. */
function acceleratedClock(): { now(): number } {
  const startedAt = Date.now()
  return { now: () => startedAt + Math.floor((Date.now() - startedAt) * clockSpeed) }
}
