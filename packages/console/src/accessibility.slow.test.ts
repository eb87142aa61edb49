import assert from 'node:assert/strict'
import { after, type TestContext, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import {
  AlertWorld,
  accessibilityFaults,
  ChatReceiver,
  reverseCleanup,
  signedIn,
  startConsole,
  TestBrowser,
  testEngine,
} from '@wharf/testkit'
import { pages } from './frame/pages.ts'

if (testEngine !== 'sqlite') process.exit(0)

const cleanup = reverseCleanup({ after })
const server = await startConsole(cleanup)
const { admin, bootstrap } = server
const receiver = await ChatReceiver.start(cleanup)
const browser = await TestBrowser.start(cleanup)
const session = await signedIn(server)

// Something to see on each page

const chat = '/v1/sns/application-endpoints/chatapp'
const madeBy = async (call: ReturnType<typeof admin.post>): Promise<string> => {
  const { body, text } = await call
  assert.ok(body.inventory, text)
  return (body.inventory as { uuid: string }).uuid
}
const firstOf = async (path: string): Promise<string> =>
  ((await admin.get(path)).body.inventories as { uuid: string }[])[0]?.uuid ?? ''

const platform = await AlertWorld.create(server)
const hook = receiver.hook('DingTalk', 'operations', { status: 404 })
const endpoint = await madeBy(admin.post(chat, { params: { type: 'DingTalk', name: 'Operations', url: hook } }))
for (const userId of ['13800138000', 'not an id'])
  await madeBy(admin.post(`${chat}/at-persons`, { params: { endpointUuid: endpoint, userId } }))
await platform.send({
  name: 'EtcdMemberDown',
  annotations: { summary: 'A member is down', runbook: 'https://x.example' },
})
const account = await madeBy(admin.post('/v1/accounts', { params: { name: 'developers', password: 'p' } }))
const alert = await firstOf('/v1/zwatch/third-party/alerts')
const delivery = await firstOf('/v1/sns/deliveries')

/** Every page of the navigation, and what lies behind them. */
const places = [
  ...Object.keys(pages),
  `hosts/${bootstrap.hostUuid}`,
  'hosts/add',
  `backup-storage/${bootstrap.backupStorageUuid}`,
  `alerts/${alert}`,
  'chat/add',
  `chat/${endpoint}`,
  `chat/${endpoint}/edit`,
  'chat/deliveries',
  `chat/deliveries/${delivery}`,
  'access-keys/sign',
  'accounts/users',
  `accounts/${account}`,
  'nowhere',
]

/** What is fetched after the heading stands; the events of the server never let the network come to rest. */
const settleMs = 150

async function faultsIn(language: 'en' | 'zh', t: TestContext): Promise<string[]> {
  const remembered = { ...session, 'wharf.language': language, 'wharf.appearance': 'light' }
  const page = await browser.open({ after: (work) => t.after(work) }, `${server.url}/`, { remembered })
  const found: string[] = []
  const look = async (place: string, rules?: readonly string[]): Promise<void> => {
    const faults = await accessibilityFaults(page, rules ? { rules } : {})
    found.push(...faults.map((fault) => `${place} (${language}${rules ? ', dark' : ''}): ${fault}`))
  }
  for (const place of places) {
    await page.goto(`${server.url}/#/${place}`)
    await page.locator('main h1, main .awsui_h1').first().waitFor()
    await delay(settleMs)
    await look(place)
    await page.evaluate(() => document.body.classList.add('awsui-dark-mode'))
    // the colours are all that a theme changes
    await look(place, ['color-contrast'])
    await page.evaluate(() => document.body.classList.remove('awsui-dark-mode'))
  }
  return found
}

// some forty pages, each looked at twice: on a busy machine that takes more than a test usually may
for (const language of ['en', 'zh'] as const)
  test(`axe-core finds nothing on any page, in both themes: ${language}`, { timeout: 600_000 }, async (t) => {
    assert.deepEqual(await faultsIn(language, t), [])
  })

test('axe-core finds nothing where somebody signs in', async (t) => {
  for (const language of ['en', 'zh']) {
    const remembered = { 'wharf.language': language, 'wharf.appearance': 'dark' }
    const page = await browser.open({ after: (work) => t.after(work) }, `${server.url}/`, { remembered })
    await page.locator('input[type=password]').waitFor()
    assert.deepEqual(await accessibilityFaults(page), [])
  }
})
