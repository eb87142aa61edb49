import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, type TestContext, test } from 'node:test'
import {
  AlertPlatformFixture,
  accessibilityFaults,
  ChatReceiver,
  installable,
  PackageSource,
  type Page,
  reverseCleanup,
  sampled,
  signedIn,
  startConsole,
  TestBrowser,
} from '@wharf/testkit'
import { clusterPackage } from '../../testkit/src/packages/cluster-package.ts'
import { pages } from './app/pages.ts'

const cleanup = reverseCleanup({ after })
const server = await startConsole(cleanup)
const { admin, bootstrap } = server
const receiver = await ChatReceiver.start(cleanup)
const source = await PackageSource.start(cleanup)
const browser = await TestBrowser.start(cleanup)
const session = await signedIn(server)

const chat = '/v1/sns/application-endpoints/chatapp'
const madeBy = async (call: ReturnType<typeof admin.post>): Promise<string> => {
  const { body, text } = await call
  assert.ok(body.inventory, text)
  return (body.inventory as { uuid: string }).uuid
}
const firstOf = async (path: string): Promise<string> =>
  ((await admin.get(path)).body.inventories as { uuid: string }[])[0]?.uuid ?? ''

const platform = await AlertPlatformFixture.create(server)
const hook = receiver.webhookUrl('DingTalk', 'operations', { status: 404 })
const endpoint = await madeBy(admin.post(chat, { params: { type: 'DingTalk', name: 'Operations', url: hook } }))
for (const userId of ['13800138000', 'not an id'])
  await madeBy(admin.post(`${chat}/at-persons`, { params: { endpointUuid: endpoint, userId } }))
await platform.send({
  name: 'EtcdMemberDown',
  annotations: { summary: 'A member is down', runbook: 'https://x.example' },
})
const account = await madeBy(admin.post('/v1/accounts', { params: { name: 'developers', password: 'p' } }))
const place = { hostUuid: bootstrap.hostUuid, managementNodeUuid: bootstrap.managementNodeUuid }
const url = source.serve('hello.tar', installable({ type: 'hello', config: { type: 'object', properties: {} } }))
const installPath = join(server.environment.WHARF_DATA ?? '', '..', 'hello.tar')
const params = { name: 'hello', type: 'hello', url, installPath, ...place }
const softwarePackage = await madeBy(admin.post('/v1/software-packages/upload', { params }))
const clusterUrl = source.serve('cluster.tar', clusterPackage())
const clusterParams = {
  ...params,
  name: 'etcd',
  type: 'storage',
  url: clusterUrl,
  installPath: `${installPath}.cluster`,
}
const clusterSoftware = await madeBy(admin.post('/v1/software-packages/upload', { params: clusterParams }))
await admin.put(`/v1/software-package/install/${clusterSoftware}/actions`, { installSoftwarePackage: {} })
const cluster = await madeBy(
  admin.post('/v1/cluster-plugin', { params: { name: 'storage', managementIp: '127.0.0.1' } }),
)
const job = await firstOf(`/v1/api-jobs?q=subjectUuid=${softwarePackage}`)
const alert = await firstOf('/v1/zwatch/third-party/alerts')
const delivery = await firstOf('/v1/sns/deliveries')

/** Every page of the navigation, and the pages below them. */
const places = [
  ...Object.keys(pages),
  'packages?upload=1',
  `packages/${softwarePackage}`,
  `jobs/${job}`,
  'clusters/add',
  `clusters/${cluster}`,
  `clusters/${cluster}/configure`,
  'hosts/candidates',
  `explain?text=${encodeURIComponent('Connection refused')}`,
  `hosts/${bootstrap.hostUuid}`,
  'hosts/add',
  `backup-storage/${bootstrap.backupStorageUuid}`,
  `alerts/${alert}`,
  'alerts/platforms',
  `alerts/platforms/${platform.uuid}`,
  'chat/add',
  `chat/${endpoint}`,
  `chat/${endpoint}/edit`,
  'chat/deliveries',
  `chat/deliveries/${delivery}`,
  'access-keys/sign',
  'account',
  'accounts/users',
  `accounts/${account}`,
  'nowhere',
]

type Prepare = (page: Page) => Promise<void>
const press = async (page: Page, name: RegExp): Promise<void> => page.getByRole('button', { name }).first().click()
const shortcut: (page: Page, key: string) => Promise<void> = async (page, key) => {
  await page.keyboard.press(key)
  await page.getByRole('dialog').waitFor()
}
const next = /^(Next|下一步)$/

/** Dialogs and steps, opened from a page. */
const states: readonly (readonly [place: string, what: string, prepare: Prepare])[] = [
  [`packages/${softwarePackage}`, 'the form to install', (page) => press(page, /^(Install|安装)$/)],
  [`packages/${softwarePackage}`, 'a question', (page) => press(page, /^(Delete|删除)$/)],
  ['alerts/platforms', 'the form to create', (page) => press(page, /^(Create alert platform|创建告警平台)$/)],
  ['backup-storage', 'the help', (page) => press(page, /help|帮助/i)],
  ['backup-storage?add=1', 'the form to add storage', async () => {}],
  ['hosts', 'the search', (page) => shortcut(page, 'Control+k')],
  ['hosts', 'the list of keys', (page) => shortcut(page, '?')],
  ['packages', 'the filter', (page) => page.getByRole('combobox', { name: /^(Filter by|按字段)/ }).focus()],
  [
    'clusters/add',
    'the package of a cluster',
    async (page) => {
      await page.getByLabel(/^(Name|名称)/).fill('second')
      await press(page, next)
    },
  ],
  [
    '',
    'the places of a cluster',
    async (page) => {
      await press(page, /^(Package|软件包)/)
      await page.getByRole('option', { name: /etcd/ }).click()
      await press(page, next)
    },
  ],
  [
    '',
    'the preflight of a cluster',
    async (page) => {
      const typed = ['10.0.0.11', '10.0.0.12', '10.0.0.13', '10.0.0.0/24', '10.1.0.0/24', '10.2.0.0/24']
      for (const text of typed) await page.getByPlaceholder(text, { exact: true }).fill(text)
      await press(page, next)
    },
  ],
]

/** Waits until nothing is loading. */
async function settled(page: Page): Promise<void> {
  await page.locator('main h1, main .awsui_h1').first().waitFor()
  await page.waitForFunction(() => document.querySelector('[class*=awsui_circle-left]') === null)
}

async function faultsIn(language: 'en' | 'zh', t: TestContext): Promise<string[]> {
  const storage = { ...session, 'wharf.language': language, 'wharf.appearance': 'light' }
  const page = await browser.open(t, `${server.url}/`, { storage })
  const found: string[] = []
  const check = async (what: string, themes = ['light', 'dark']): Promise<void> => {
    await settled(page)
    for (const theme of themes) {
      await page.evaluate((isDark) => document.body.classList.toggle('awsui-dark-mode', isDark), theme === 'dark')
      const faults = await accessibilityFaults(page, theme === 'dark' ? 'colours' : undefined)
      found.push(...faults.map((fault) => `${what} (${language}, ${theme}): ${fault}`))
    }
  }
  const inBothThemes = new Set(sampled(places))
  for (const place of places) {
    await page.goto(`${server.url}/#/${place}`)
    await check(place, inBothThemes.has(place) ? undefined : ['light'])
  }
  for (const [place, what, prepare] of states) {
    if (place !== '') {
      await page.goto(`${server.url}/#/${place}`)
      await page.reload()
      await settled(page)
    }
    await prepare(page)
    await check(what)
  }
  return found
}

// On a busy machine this takes longer than the default timeout of a test. One language is enough per page: the types
// ensure that the messages of both are complete.
for (const language of process.env.TEST_LONG ? (['en', 'zh'] as const) : (['en'] as const))
  test(`axe-core finds nothing on any page: ${language}`, { timeout: 600_000 }, async (t) => {
    assert.deepEqual(await faultsIn(language, t), [])
  })

test('axe-core finds nothing on the sign-in page', async (t) => {
  for (const language of ['en', 'zh'])
    for (const appearance of ['light', 'dark']) {
      const storage = { 'wharf.language': language, 'wharf.appearance': appearance }
      const page = await browser.open(t, `${server.url}/`, { storage })
      await page.locator('input[type=password]').waitFor()
      assert.deepEqual(await accessibilityFaults(page), [])
    }
})
