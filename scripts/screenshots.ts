// Takes the pictures of the console for README and docs, as root: `npm run screenshots`.
// `node scripts/screenshots.ts FOLDER` takes every page in both languages and themes, wide and narrow, to be looked at.
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { hostsNeedRoot, type Page, reverseCleanup, signedIn, TestBrowser } from '@wharf/testkit'
import { ScreenshotWorld } from './screenshot-world.ts'

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

const pictures = ({ uuids }: ScreenshotWorld): Picture[] => [
  { name: 'overview', place: 'overview', isAlsoNarrow: true },
  { name: 'packages', place: 'packages', isAlsoNarrow: true },
  { name: 'upload', place: 'packages?upload=1' },
  { name: 'package', place: `packages/${uuids.running}`, isAlsoNarrow: true },
  { name: 'package-failed', place: `packages/${uuids.failed}` },
  {
    name: 'install',
    place: `packages/${uuids.package}`,
    act: (page) => page.locator('main button').filter({ hasText: /^(Install|安装)$/ }).click(),
  },
  { name: 'migration', place: 'migration' },
  { name: 'hosts', place: 'hosts' },
  { name: 'host', place: `hosts/${uuids.host}` },
  { name: 'candidates', place: 'hosts/candidates' },
  { name: 'add-host', place: 'hosts/add' },
  { name: 'backup-storage', place: 'backup-storage' },
  { name: 'clusters', place: 'clusters' },
  { name: 'cluster', place: `clusters/${uuids.cluster}`, isAlsoNarrow: true },
  { name: 'wizard', place: `clusters/${uuids.cluster}/configure`, act: toPreflight },
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

async function toPreflight(page: Page): Promise<void> {
  for (let step = 0; step < 2; step++) await page.getByRole('button', { name: /^(Next|下一步)$/ }).click()
}

const ends: (() => Promise<void>)[] = []
const cleanup = reverseCleanup({ after: (work) => void ends.push(work) })
if (hostsNeedRoot) throw new Error(hostsNeedRoot)
try {
  const world = await ScreenshotWorld.start(cleanup)
  const browser = await TestBrowser.start(cleanup)
  await world.startLongJob()
  const folder = process.argv[2]
  const docs = fileURLToPath(new URL('../docs/images', import.meta.url))
  if (folder === undefined) await take(world, browser, docs, { language: 'en', appearance: 'light' })
  else
    for (const language of ['en', 'zh'] as const)
      for (const appearance of ['light', 'dark'] as const) {
        const own = join(folder, `${language}-${appearance}`)
        await take(world, browser, own, { language, appearance, everyNarrow: true })
      }
} finally {
  for (const end of ends) await end()
}

interface Look {
  readonly language: 'en' | 'zh'
  readonly appearance: 'light' | 'dark'
  readonly everyNarrow?: boolean
}

async function take(world: ScreenshotWorld, browser: TestBrowser, folder: string, look: Look): Promise<void> {
  const { language, appearance, everyNarrow = false } = look
  mkdirSync(folder, { recursive: true })
  const { server } = world
  const remembered = { 'wharf.language': language, 'wharf.appearance': appearance }
  const locale = language === 'zh' ? 'zh-CN' : 'en-US'
  const stranger = await browser.open(cleanup, server.url, { remembered, locale })
  await stranger.screenshot({ path: join(folder, 'console-sign-in.png') })
  const session = await signedIn(server)
  // a configuration that is not there yet is answered with 404
  const options = { remembered: { ...remembered, ...session }, locale, expected: [/./] }
  const page = await browser.open(cleanup, server.url, options)
  for (const { name, place, act, isAlsoNarrow = false } of pictures(world)) {
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
      await page.screenshot({ path: join(folder, `console-${name}${suffix}.png`) })
    }
  }
}
