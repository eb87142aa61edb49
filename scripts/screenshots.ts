// Takes screenshots of the console for the README and the documents, as root: `npm run screenshots`.
// `node scripts/screenshots.ts FOLDER` takes every page in both languages and themes and three widths, for review;
// `node scripts/screenshots.ts FOLDER zh-dark hosts rollout` takes some of them.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { hostsNeedRoot, type Page, reverseCleanup, signedIn, TestBrowser } from '@wharf/testkit'
import { ScreenshotFixture } from './screenshots/fixture.ts'
import { palettePng } from './screenshots/palette-png.ts'

interface Screenshot {
  readonly name: string
  readonly path: string
  /** Runs before the screenshot. */
  readonly act?: (page: Page) => Promise<void>
  readonly isAlsoNarrow?: boolean
  /** Not in the documents. */
  readonly isForReview?: boolean
}

/** Time for charts and responses to settle. */
const settleMs = 1200
const wide = { width: 1440, height: 900 }
const widest = { width: 1920, height: 1080 }
const narrow = { width: 390, height: 844 }

const screenshots = (fixture: ScreenshotFixture): Screenshot[] => {
  const { uuids, nodes } = fixture
  return [
    { name: 'overview', path: 'overview', isAlsoNarrow: true },
    { name: 'packages', path: 'packages', isAlsoNarrow: true },
    { name: 'upload', path: 'packages?upload=1' },
    { name: 'package', path: `packages/${uuids.running}`, isAlsoNarrow: true },
    { name: 'package-failed', path: `packages/${uuids.failed}` },
    {
      name: 'install',
      path: `packages/${uuids.package}`,
      act: (page) =>
        page
          .locator('main button')
          .filter({ hasText: /^(Install|安装)$/ })
          .click(),
    },
    { name: 'releases', path: 'releases' },
    { name: 'release', path: `releases/${uuids.release}`, isForReview: true },
    { name: 'rollouts', path: 'rollouts' },
    { name: 'rollout', path: `rollouts/${uuids.rollout}` },
    { name: 'create-rollout', path: 'rollouts/create', isForReview: true },
    { name: 'windows', path: 'rollouts/windows', isForReview: true },
    { name: 'package-upgraded', path: `packages/${uuids.upgraded}`, isForReview: true },
    { name: 'package-unhealthy', path: `packages/${uuids.unhealthy}`, isForReview: true },
    { name: 'migration', path: 'migration' },
    { name: 'hosts', path: 'hosts' },
    { name: 'host', path: `hosts/${uuids.host}` },
    { name: 'candidates', path: 'hosts/candidates' },
    { name: 'add-host', path: 'hosts/add' },
    { name: 'backup-storage', path: 'backup-storage' },
    { name: 'clusters', path: 'clusters' },
    { name: 'cluster', path: `clusters/${uuids.cluster}`, isAlsoNarrow: true },
    { name: 'wizard', path: 'clusters/add', act: (page) => openPreflight(page, nodes) },
    { name: 'alerts', path: 'alerts' },
    { name: 'chat', path: 'chat' },
    { name: 'endpoint', path: `chat/${uuids.endpoint}` },
    { name: 'deliveries', path: 'chat/deliveries' },
    { name: 'explain', path: 'explain?text=ssh: connect to host 10.0.0.7 port 22: Connection refused' },
    { name: 'jobs', path: 'jobs' },
    { name: 'access-keys', path: 'access-keys' },
    { name: 'sign', path: 'access-keys/sign' },
    { name: 'accounts', path: 'accounts' },
    { name: 'account', path: `accounts/${uuids.account}`, isForReview: true },
    { name: 'users', path: 'accounts/users', isForReview: true },
    { name: 'audit', path: 'audit' },
    { name: 'audit-entry', path: 'audit', act: openFirst, isForReview: true },
    { name: 'my-account', path: 'account' },
    { name: 'device', path: 'account/device', isForReview: true },
    { name: 'job', path: 'jobs', act: openFirst, isForReview: true },
    { name: 'alert', path: 'alerts', act: openFirst, isForReview: true },
    { name: 'storage', path: 'backup-storage', act: openFirst, isForReview: true },
    { name: 'platforms', path: 'alerts/platforms', isForReview: true },
    { name: 'platform', path: 'alerts/platforms', act: openFirst, isForReview: true },
    { name: 'delivery', path: 'chat/deliveries', act: openFirst, isForReview: true },
    { name: 'add-endpoint', path: 'chat/add', isForReview: true },
    { name: 'create-key', path: 'access-keys?create=1', isForReview: true },
    { name: 'create-window', path: 'rollouts/windows?create=1', isForReview: true },
    { name: 'publish', path: 'releases?publish=1', isForReview: true },
    { name: 'add-storage', path: 'backup-storage?add=1', isForReview: true },
    { name: 'add-cluster', path: 'clusters/add', isForReview: true },
    { name: 'find', path: 'overview', act: (page) => page.keyboard.press('Control+k'), isForReview: true },
    { name: 'documents', path: 'documents', isForReview: true },
    { name: 'help', path: 'hosts', act: (page) => page.keyboard.press('?'), isForReview: true },
    { name: 'notifications', path: 'releases', act: (page) => openNotifications(page, fixture), isForReview: true },
  ]
}

/** Lets a job fail while the page is open, and opens the notification centre. */
async function openNotifications(page: Page, fixture: ScreenshotFixture): Promise<void> {
  await delay(settleMs)
  await fixture.failAgain()
  await page.locator('[class*=awsui_flash-type-error]').first().waitFor()
  await page.getByRole('button', { name: /^(Notifications|通知)/ }).click()
}

/** Opens the first record of a list. */
async function openFirst(page: Page): Promise<void> {
  await page.locator('main tbody a:visible, main .card-title a:visible').first().click()
}

/** Fills in the fields of the wizard by their order, since their labels depend on the language. */
async function openPreflight(page: Page, nodes: readonly string[]): Promise<void> {
  const next = page.getByRole('button', { name: /^(Next|下一步)$/ })
  await page.locator('main input[type=text]:visible').first().fill('metadata')
  await next.click()
  await page
    .locator('main button[aria-haspopup=dialog]:visible, main button[aria-haspopup=listbox]:visible')
    .first()
    .click()
  await page.getByRole('option', { name: 'etcd-cluster-3.5.21' }).click()
  await next.click()
  const fields = page.locator('main input:visible')
  const network = `${(nodes[0] ?? '').split('.').slice(0, 3).join('.')}.0/24`
  for (const [index, value] of [...nodes, network, '10.20.0.0/24', '10.30.0.0/24'].entries())
    await fields.nth(index).fill(value)
  await next.click()
}

const variants = ['en-light', 'en-dark', 'zh-light', 'zh-dark']
const ends: (() => Promise<void>)[] = []
const cleanup = reverseCleanup({ after: (work) => void ends.push(work) })
if (hostsNeedRoot) throw new Error(hostsNeedRoot)
try {
  const fixture = await ScreenshotFixture.start(cleanup)
  const browser = await TestBrowser.start(cleanup, { hasWindows: true })
  await fixture.startLongJob()
  const [, , folder, ...chosen] = process.argv
  const docs = fileURLToPath(new URL('../docs/images', import.meta.url))
  if (folder === undefined) await take(fixture, browser, docs, { language: 'en', appearance: 'light' })
  else
    for (const language of ['en', 'zh'] as const)
      for (const appearance of ['light', 'dark'] as const) {
        const variant = `${language}-${appearance}`
        if (chosen.some((one) => variants.includes(one)) && !chosen.includes(variant)) continue
        const names = chosen.filter((one) => !variants.includes(one))
        await take(fixture, browser, join(folder, variant), { language, appearance, isReview: true, names })
      }
} finally {
  for (const end of ends) await end()
}

interface Appearance {
  readonly language: 'en' | 'zh'
  readonly appearance: 'light' | 'dark'
  readonly isReview?: boolean
  /** Only these pages; all when there are none. */
  readonly names?: readonly string[]
}

async function take(
  fixture: ScreenshotFixture,
  browser: TestBrowser,
  folder: string,
  options: Appearance,
): Promise<void> {
  const { language, appearance, isReview = false, names = [] } = options
  mkdirSync(folder, { recursive: true })
  const { server } = fixture
  const storage = { 'wharf.language': language, 'wharf.appearance': appearance }
  const locale = language === 'zh' ? 'zh-CN' : 'en-US'
  const signedOut = await browser.open(cleanup, server.url, { storage, locale })
  await delay(settleMs)
  await save(signedOut, 'sign-in')
  if (isReview) {
    await signedOut.setViewportSize(narrow)
    await save(signedOut, 'sign-in-narrow')
  }
  const session = await signedIn(server)
  // a configuration that does not exist yet is a 404
  const pageOptions = { storage: { ...storage, ...session }, locale, expected: [/./] }
  const page = await browser.open(cleanup, server.url, pageOptions)
  for (const { name, path, act, isAlsoNarrow, isForReview } of screenshots(fixture)) {
    if ((isForReview && !isReview) || (names.length > 0 && !names.includes(name))) continue
    const sizes = [
      { suffix: '', viewport: wide },
      ...(isAlsoNarrow || isReview ? [{ suffix: '-narrow', viewport: narrow }] : []),
      ...(isReview ? [{ suffix: '-widest', viewport: widest }] : []),
    ]
    for (const { suffix, viewport } of sizes) {
      await page.setViewportSize(viewport)
      // without the drafts of the previous screenshot
      await page.evaluate(() => sessionStorage.clear())
      // a new document, which closes what the previous screenshot opened
      await page.goto(`${server.url}/?${name}${suffix}#/${path}`)
      await page.locator('main h1, main h2').first().waitFor()
      await act?.(page)
      await delay(settleMs)
      await save(page, `${name}${suffix}`)
    }
  }

  async function save(shown: Page, name: string): Promise<void> {
    // for review, also what is below the fold
    const png = await shown.screenshot({ fullPage: isReview })
    writeFileSync(join(folder, `console-${name}.png`), isReview ? png : palettePng(png))
  }
}
