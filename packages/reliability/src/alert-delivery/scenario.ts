import assert from 'node:assert/strict'
import { setTimeout as delay } from 'node:timers/promises'
import { AlertPlatformFixture, Client, reverseCleanup, TestNodes, type TestServer, testEngine } from '@wharf/testkit'
import type { Chance } from '../chance.ts'
import { LossyNetwork } from '../lossy-network.ts'
import { QuickClock } from '../quick-clock.ts'
import { checkStory, type Story, tell } from './platform.ts'
import { chatTypes, mishaps, UnreliableChat } from './receiver.ts'
import { changesOf, webhooksOf } from './story.ts'

interface Figures {
  /** Changes of state, each stored once. */
  readonly alerts: number
  /** Webhooks that were sent, repetitions included. */
  readonly webhooks: number
  /** Each acknowledged once. */
  readonly messages: number
  /** Requests that came to the chats. */
  readonly attempts: number
  /** Those that were read and not acknowledged, so that the chat might have shown them: repeated under the same key. */
  readonly readInVain: number
  readonly seconds: number
}

/** The pauses between attempts are those of production up to 10 s, in a two-hundredth of the time. */
const clockSpeed = 200
const deliveryLimits = { retryMs: [1000, 2000, 5000, 10_000], giveUpMs: 30 * 86_400_000, lookMs: 10, requestMs: 2000 }
const maxSlowMs = 100
const environment = { WHARF_DOWNLOAD_ALLOW: '127.0.0.0/8' }
/** Not one message got through for this long: none will. */
const patienceMs = 30_000

/** Alerts by senders that repeat themselves, over a bad network, to chats that fail nearly every second time. */
export async function alertDelivery(
  t: { after(work: () => Promise<void>): void },
  { alerts, chance }: { alerts: number; chance: Chance },
): Promise<Figures> {
  const cleanup = reverseCleanup(t)
  const clock = new QuickClock(clockSpeed)
  const nodes = testEngine === 'postgres' ? 2 : 1
  const options = { environment, deliveryLimits, clock }
  const { servers } = await TestNodes.start(cleanup, nodes, Array(nodes).fill(options))
  const [{ admin }] = servers as [TestServer]
  const urls = servers.map(({ url }) => url)
  const network = await LossyNetwork.to(urls, cleanup, { chance: chance.of(0), maxExchanges: 4 })

  const stories: Story[] = []
  for (const [platform, type] of chatTypes.entries()) {
    const own = chance.of(platform + 1)
    const changes = changesOf(platform, alerts / chatTypes.length, own)
    const { uuid, token } = await AlertPlatformFixture.create(servers[0] as TestServer, `platform ${platform}`)
    const chat = await UnreliableChat.open(cleanup, type, { chance: own.of(0), clock, maxSlowMs })
    const params = { name: type, type, url: chat.url, platformUuids: [uuid] }
    const made = await admin.post('/v1/sns/application-endpoints/chatapp', { params })
    assert.equal(made.status, 200, made.text)
    const world = new AlertPlatformFixture(new Client(network.url, { kind: 'none' }), { uuid, token })
    stories.push({ changes, webhooks: webhooksOf(changes, own), world, chat })
  }

  const began = performance.now()
  const sent = await Promise.all(stories.map((story, n) => tell(story, chance.of(100 + n))))
  const chats = stories.map(({ chat }) => chat)
  await untilDelivered(admin, chats)
  const seconds = (performance.now() - began) / 1000

  for (const story of stories) checkStory(story)
  assert.equal((await admin.get('/v1/zwatch/third-party/alerts?count=true&limit=1')).body.total, alerts)
  const messages = chats.reduce((sum, { received }) => sum + received.filter((one) => one.isAcknowledged).length, 0)
  const { total } = (await admin.get('/v1/sns/deliveries?q=status=Delivered&count=true&limit=1')).body
  assert.deepEqual([total, messages], [alerts, alerts])
  for (const { logText } of servers) assert.doesNotMatch(logText, /"level":(50|60)/, 'a bad chat is no fault')
  const read = chats.reduce((sum, { received }) => sum + received.length, 0)
  const unread = chats.reduce((sum, chat) => sum + chat.mishaps['closed unread'], 0)
  for (const mishap of mishaps)
    assert.ok(chats.reduce((sum, chat) => sum + chat.mishaps[mishap], 0) > 0, `no chat met with ${mishap}`)
  return {
    alerts,
    webhooks: sent.reduce((sum, count) => sum + count),
    messages,
    attempts: read + unread,
    readInVain: read - messages,
    seconds,
  }
}

async function untilDelivered(admin: Client, chats: readonly UnreliableChat[]): Promise<void> {
  const acknowledged = (): number =>
    chats.reduce((sum, { received }) => sum + received.filter((one) => one.isAcknowledged).length, 0)
  let last = { count: -1, at: 0 }
  for (;;) {
    const { body } = await admin.get('/v1/sns/deliveries?q=status=Waiting&count=true&limit=1')
    if (body.total === 0) return
    const count = acknowledged()
    if (count > last.count) last = { count, at: performance.now() }
    assert.ok(performance.now() - last.at < patienceMs, `${body.total} messages wait and none gets through`)
    await delay(100)
  }
}
