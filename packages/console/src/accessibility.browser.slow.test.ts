import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, type TestContext, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import {
  AlertPlatformFixture,
  accessibilityFaults,
  ChatReceiver,
  installable,
  PackageSource,
  type Page,
  packageFolder,
  reverseCleanup,
  sampled,
  signedIn,
  startConsole,
  TestBrowser,
  totpCode,
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
const account = await madeBy(
  admin.post('/v1/accounts', { params: { name: 'developers', password: 'a long password' } }),
)
const place = { hostUuid: bootstrap.hostUuid, managementNodeUuid: bootstrap.managementNodeUuid }
const url = source.serve('hello.tar', installable({ type: 'hello', config: { type: 'object', properties: {} } }))
const installPath = join(packageFolder(cleanup), 'hello.tar')
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
const stored = {
  ...{ name: 'web 1.0.0', type: 'service', installPath: 'web.tar' },
  url: source.serve('web.tar', installable({ name: 'web', type: 'service', version: '1.0.0' })),
}
const softwarePackageUuid = await madeBy(admin.post('/v1/software-packages/backup-storage/upload', { params: stored }))
const release = await madeBy(admin.post('/v1/releases', { params: { softwarePackageUuid } }))
const plan = { name: 'web 1.0.0', releaseUuid: release, selector: ['name=this-node'], requiresApproval: true }
const rollout = await madeBy(admin.post('/v1/rollouts', { params: plan }))
const guarded = { name: 'guarded', password: 'password of guarded' }
await enrolAuthenticator()
const job = await firstOf(`/v1/api-jobs?q=subjectUuid=${softwarePackage}`)
const alert = await firstOf('/v1/zwatch/third-party/alerts')
const delivery = await firstOf('/v1/sns/deliveries')
const entry = await firstOf('/v1/audit-entries')

/** Its sign-in has a second step. */
async function enrolAuthenticator(): Promise<void> {
  await madeBy(admin.post('/v1/accounts', { params: guarded }))
  const client = await server.logIn(guarded.name, guarded.password)
  const path = '/v1/caller-identity/actions'
  const { body } = await client.put(path, { enrolAuthenticator: { password: guarded.password } })
  const { status, text } = await client.put(path, { confirmAuthenticator: { code: totpCode(String(body.secret)) } })
  assert.equal(status, 200, text)
}

/** Every page of the navigation, and the pages below them. */
const places = [
  ...Object.keys(pages),
  'packages?upload=1',
  `packages/${softwarePackage}`,
  `jobs/${job}`,
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
  'rollouts/windows',
  'rollouts/windows?create=1',
  'rollouts/create',
  `rollouts/${rollout}`,
  `releases/${release}`,
  `audit/${entry}`,
  'account/device',
  'chat/add',
  `chat/${endpoint}`,
  `chat/${endpoint}/edit`,
  'chat/deliveries',
  `chat/deliveries/${delivery}`,
  'access-keys/sign',
  'accounts/users',
  `accounts/${account}`,
  'nowhere',
  'backup-storage?add=1',
  // last, because its states leave unsaved input
  'clusters/add',
]

type Prepare = (page: Page) => Promise<void>
const press = async (page: Page, name: RegExp): Promise<void> => page.getByRole('button', { name }).first().click()
const shortcut: (page: Page, key: string) => Promise<void> = async (page, key) => {
  await page.keyboard.press(key)
  await page.getByRole('dialog').waitFor()
}
const next = /^(Next|下一步)$/
/** The dialog or panel of the last state; opening the page again would take longer. */
async function close(page: Page): Promise<void> {
  await page.keyboard.press('Escape')
  const panel = page.getByRole('button', { name: /^(Close help panel|关闭帮助面板)$/ })
  if (await panel.isVisible()) await panel.click()
}

/** Dialogs and steps, opened from a place one after the other. */
const states: Readonly<Record<string, readonly (readonly [what: string, prepare: Prepare])[]>> = {
  [`packages/${softwarePackage}`]: [
    ['the form to install', (page) => press(page, /^(Install|安装)$/)],
    ['a question', (page) => press(page, /^(Delete|删除)$/)],
  ],
  'alerts/platforms': [['the form to create', (page) => press(page, /^(Create alert platform|创建告警平台)$/)]],
  account: [
    [
      'the secret of an authenticator app',
      async (page) => {
        await press(page, /^(Add authenticator app|添加身份验证器应用)$/)
        await page.getByRole('dialog').locator('input').fill(bootstrap.password)
        await page.keyboard.press('Enter')
        await page.locator('.qr-code').waitFor()
      },
    ],
  ],
  audit: [['the form to export', (page) => press(page, /^(Export trail|导出审计记录)$/)]],
  'backup-storage': [['the help', (page) => press(page, /help|帮助/i)]],
  hosts: [
    ['the search', (page) => shortcut(page, 'Control+k')],
    ['the list of keys', (page) => shortcut(page, '?')],
  ],
  packages: [['the filter', (page) => page.getByRole('combobox', { name: /^(Filter by|按字段)/ }).focus()]],
  'clusters/add': [
    [
      'the package of a cluster',
      async (page) => {
        await page.getByLabel(/^(Name|名称)/).fill('second')
        await press(page, next)
      },
    ],
    [
      'the places of a cluster',
      async (page) => {
        await press(page, /^(Package|软件包)/)
        await page.getByRole('option', { name: /etcd/ }).click()
        await press(page, next)
      },
    ],
    [
      'the preflight of a cluster',
      async (page) => {
        const typed = ['10.0.0.11', '10.0.0.12', '10.0.0.13', '10.0.0.0/24', '10.1.0.0/24', '10.2.0.0/24']
        for (const text of typed) await page.getByPlaceholder(text, { exact: true }).fill(text)
        await press(page, next)
      },
    ],
  ],
}

interface Appearance {
  readonly language: 'en' | 'zh'
  readonly theme: 'light' | 'dark'
  readonly size: 'desktop' | 'phone'
}
const viewports = { desktop: { width: 1440, height: 900 }, phone: { width: 390, height: 844 } }

const allAppearances: readonly Appearance[] = (['en', 'zh'] as const).flatMap((language) =>
  (['light', 'dark'] as const).flatMap((theme) =>
    (['desktop', 'phone'] as const).map((size) => ({ language, theme, size })),
  ),
)

/** Waits until nothing is loading. */
async function settled(page: Page): Promise<void> {
  await page.locator('main h1, main .awsui_h1').first().waitFor()
  await page.waitForFunction(() => document.querySelector('[class*=awsui_circle-left]') === null)
}

/** The layout follows its content after some frames. */
async function phoneWidth(page: Page): Promise<number> {
  const read = (): Promise<number> => page.evaluate(() => document.documentElement.scrollWidth)
  const until = performance.now() + 3000
  let width = await read()
  while (width > viewports.phone.width && performance.now() < until) {
    await delay(50)
    width = await read()
  }
  return width
}

/** For a `SpaceBetween`, a fragment is one child. */
function crowdedBlocks(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const isBlock = (element: Element): boolean =>
      element.getClientRects().length > 0 && !getComputedStyle(element).display.startsWith('inline')
    return [...document.querySelectorAll('[class*=awsui_vertical_] > [class*=awsui_child_]')]
      .filter((child) => [...child.children].filter(isBlock).length > 1)
      .map((child) => `blocks without a gap: ${child.textContent?.slice(0, 80)}`)
  })
}

/** The declared widths of columns have to fit. */
async function wideTables(page: Page): Promise<string[]> {
  const read = (): Promise<string[]> =>
    page.evaluate(() =>
      [...document.querySelectorAll('main table')]
        .filter(({ scrollWidth, parentElement }) => scrollWidth > (parentElement?.clientWidth ?? 0) + 1)
        .map((table) => `a table is wider than its page: ${table.textContent?.slice(0, 80)}`),
    )
  const until = performance.now() + 3000
  let found = await read()
  while (found.length > 0 && performance.now() < until) {
    await delay(50)
    found = await read()
  }
  return found
}

/** The colours are those of a few components, so every sixth page shows them; the long form checks them on all pages. */
const rulesFor = (what: string): 'structure' | undefined =>
  process.env.TEST_LONG || places.indexOf(what) % 6 === 0 ? undefined : 'structure'

const otherTheme = { light: 'dark', dark: 'light' } as const

/** Of pages in one appearance, with their states on a desktop: they open from buttons that a phone has elsewhere. */
async function faultsOf(
  t: TestContext,
  { language, theme, size }: Appearance,
  shown: readonly string[],
): Promise<string[]> {
  const storage = { ...session, 'wharf.language': language, 'wharf.appearance': 'system' }
  let colorScheme = theme
  const options = { storage, viewport: viewports[size], colorScheme }
  const page = await browser.open(t, `${server.url}/#/${shown[0]}`, options)
  const found: string[] = []
  const check = async (what: string): Promise<void> => {
    await settled(page)
    const faults = [
      ...(await accessibilityFaults(page, what === shown[0] ? 'withFrame' : rulesFor(what))),
      ...(await crowdedBlocks(page)),
    ]
    found.push(...faults.map((fault) => `${what}: ${fault}`))
  }
  for (const place of shown) {
    // the next page with colours has those of the other theme
    if (!process.env.TEST_LONG && place !== shown[0] && rulesFor(place) === undefined) {
      colorScheme = otherTheme[colorScheme]
      await page.emulateMedia({ colorScheme })
    }
    // away from the button of the last page, where this one may show a tooltip
    await page.mouse.move(0, 0)
    await page.goto(`${server.url}/#/${place}`)
    await check(place)
    if (size === 'phone') {
      const width = await phoneWidth(page)
      if (width > viewports.phone.width) found.push(`${place} is ${width} wide on a phone`)
      continue
    }
    found.push(...(await wideTables(page)).map((fault) => `${place}: ${fault}`))
    for (const [what, prepare] of statesShown.includes(place) ? (states[place] ?? []) : []) {
      await prepare(page)
      await check(`${place}: ${what}`)
      await close(page)
    }
  }
  return found
}

/** A part of the pages, in two languages and sizes and with alternating themes; most on a phone, which takes half of the time. */
const statesShown = sampled(Object.keys(states), 6)
const onDesktop = places.filter((place, index) => statesShown.includes(place) || index === 0)
const rows: readonly (readonly [Appearance, readonly string[]])[] = process.env.TEST_LONG
  ? allAppearances.map((appearance) => [appearance, places])
  : [
      [{ language: 'en', theme: 'light', size: 'desktop' }, onDesktop],
      [
        { language: 'zh', theme: 'dark', size: 'phone' },
        sampled(places, 6).filter((place) => !onDesktop.includes(place)),
      ],
    ]

// On a busy machine this takes longer than the default timeout of a test.
for (const [appearance, shown] of rows)
  test(`axe-core finds nothing on any page: ${Object.values(appearance).join(', ')}`, {
    timeout: 600_000,
  }, async (t) => {
    assert.deepEqual(await faultsOf(t, appearance, shown), [])
  })

for (const { language, theme, size } of process.env.TEST_LONG ? allAppearances : allAppearances.slice(0, 1))
  test(`axe-core finds nothing on the pages of a sign-in: ${language}, ${theme}, ${size}`, async (t) => {
    const storage = { 'wharf.language': language, 'wharf.appearance': theme }
    const expected = [/status of 401/]
    const page = await browser.open(t, `${server.url}/`, { storage, viewport: viewports[size], expected })
    const faults = async (): Promise<string[]> => [...(await accessibilityFaults(page)), ...(await crowdedBlocks(page))]
    const password = page.locator('input[type=password]')
    await password.waitFor()
    assert.deepEqual(await faults(), [])
    await page.locator('input[autocomplete=username]').fill(guarded.name)
    await password.fill(guarded.password)
    await page.keyboard.press('Enter')
    await page.locator('input[autocomplete=one-time-code]').waitFor()
    assert.deepEqual(await faults(), [])
  })
