// Takes the pictures of the console for README and docs, as root: `npm run screenshots`.
// `node scripts/screenshots.ts FOLDER` takes every page in both languages and themes, wide and narrow, to be looked at.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { hostsNeedRoot, type Page, reverseCleanup, signedIn, TestBrowser } from '@wharf/testkit'
import { ScreenshotFixture } from './screenshots/fixture.ts'
import { palettePng } from './screenshots/palette-png.ts'

interface Picture {
  readonly name: string
  readonly place: string
  /** What is done before it is taken. */
  readonly act?: (page: Page) => Promise<void>
  readonly isAlsoNarrow?: boolean
}

/** How long charts and answers take to come to rest. */
const settleMs = 1200
const wide = { width: 1440, height: 900 }
const narrow = { width: 390, height: 844 }

const pictures = ({ uuids, nodes }: ScreenshotFixture): Picture[] => [
  { name: 'overview', place: 'overview', isAlsoNarrow: true },
  { name: 'packages', place: 'packages', isAlsoNarrow: true },
  { name: 'upload', place: 'packages?upload=1' },
  { name: 'package', place: `packages/${uuids.running}`, isAlsoNarrow: true },
  { name: 'package-failed', place: `packages/${uuids.failed}` },
  {
    name: 'install',
    place: `packages/${uuids.package}`,
    act: (page) =>
      page
        .locator('main button')
        .filter({ hasText: /^(Install|安装)$/ })
        .click(),
  },
  { name: 'migration', place: 'migration' },
  { name: 'hosts', place: 'hosts' },
  { name: 'host', place: `hosts/${uuids.host}` },
  { name: 'candidates', place: 'hosts/candidates' },
  { name: 'add-host', place: 'hosts/add' },
  { name: 'backup-storage', place: 'backup-storage' },
  { name: 'clusters', place: 'clusters' },
  { name: 'cluster', place: `clusters/${uuids.cluster}`, isAlsoNarrow: true },
  { name: 'wizard', place: 'clusters/add', act: (page) => toPreflight(page, nodes) },
  { name: 'alerts', place: 'alerts' },
  { name: 'chat', place: 'chat' },
  { name: 'endpoint', place: `chat/${uuids.endpoint}` },
  { name: 'deliveries', place: 'chat/deliveries' },
  { name: 'explain', place: 'explain?text=ssh: connect to host 10.0.0.7 port 22: Connection refused' },
  { name: 'jobs', place: 'jobs' },
  { name: 'access-keys', place: 'access-keys' },
  { name: 'sign', place: 'access-keys/sign' },
  { name: 'accounts', place: 'accounts' },
]

/** The fields of the wizard in their order, whatever they are called in this language. */
async function toPreflight(page: Page, nodes: readonly string[]): Promise<void> {
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

const ends: (() => Promise<void>)[] = []
const cleanup = reverseCleanup({ after: (work) => void ends.push(work) })
if (hostsNeedRoot) throw new Error(hostsNeedRoot)
try {
  const fixture = await ScreenshotFixture.start(cleanup)
  const browser = await TestBrowser.start(cleanup, { hasWindows: true })
  await fixture.startLongJob()
  const folder = process.argv[2]
  const docs = fileURLToPath(new URL('../docs/images', import.meta.url))
  if (folder === undefined) await take(fixture, browser, docs, { language: 'en', appearance: 'light' })
  else
    for (const language of ['en', 'zh'] as const)
      for (const appearance of ['light', 'dark'] as const) {
        const own = join(folder, `${language}-${appearance}`)
        await take(fixture, browser, own, { language, appearance, everyNarrow: true })
      }
} finally {
  for (const end of ends) await end()
}

interface Look {
  readonly language: 'en' | 'zh'
  readonly appearance: 'light' | 'dark'
  readonly everyNarrow?: boolean
}

async function take(fixture: ScreenshotFixture, browser: TestBrowser, folder: string, look: Look): Promise<void> {
  const { language, appearance, everyNarrow = false } = look
  mkdirSync(folder, { recursive: true })
  const { server } = fixture
  const storage = { 'wharf.language': language, 'wharf.appearance': appearance }
  const locale = language === 'zh' ? 'zh-CN' : 'en-US'
  const stranger = await browser.open(cleanup, server.url, { storage, locale })
  await keep(stranger, 'sign-in')
  const session = await signedIn(server)
  // a configuration that is not there yet is answered with 404
  const options = { storage: { ...storage, ...session }, locale, expected: [/./] }
  const page = await browser.open(cleanup, server.url, options)
  for (const { name, place, act, isAlsoNarrow = false } of pictures(fixture)) {
    const sizes = [
      { suffix: '', viewport: wide },
      ...(isAlsoNarrow || everyNarrow ? [{ suffix: '-narrow', viewport: narrow }] : []),
    ]
    for (const { suffix, viewport } of sizes) {
      await page.setViewportSize(viewport)
      // another document: whatever the picture before has opened is closed
      await page.goto(`${server.url}/?${name}${suffix}#/${place}`)
      await page.locator('main h1, main h2').first().waitFor()
      await act?.(page)
      await delay(settleMs)
      await keep(page, `${name}${suffix}`)
    }
  }

  async function keep(shown: Page, name: string): Promise<void> {
    writeFileSync(join(folder, `console-${name}.png`), palettePng(await shown.screenshot()))
  }
}
