import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { startIsolatedNetwork } from './isolated-network.ts'

export type { Locator, Page } from 'playwright-core'

interface Cleanup {
  after(work: () => Promise<void>): void
}

/** The test that opens a page; `passed` is its result. */
interface PageTest extends Cleanup {
  readonly passed?: boolean
}

/** Debian's Chromium; it makes no background requests. */
const chromium = process.env.CHROMIUM ?? '/usr/bin/chromium'
/** Headless, which takes about a third less CPU. */
const headlessChromium = process.env.CHROMIUM ?? '/usr/bin/chromium-headless-shell'
const flags = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
]

/** The limit of every wait. */
const timeoutMs = 15_000

/** No animations: a check in the middle of one sees neither the old nor the new state. */
const defaultContext = { viewport: { width: 1440, height: 900 }, locale: 'en-US', reducedMotion: 'reduce' } as const

export interface PageOptions extends BrowserContextOptions {
  /** Errors that the page may report: the browser's console logs every answer that is not a success. */
  readonly expected?: readonly RegExp[]
  /** Entries of local storage before the page opens: `{ 'wharf.language': 'zh' }`. */
  readonly storage?: Readonly<Record<string, string>>
}

interface BrowserOptions {
  /** In a network namespace of its own, unless times are measured: its proxy adds latency. */
  readonly isIsolated?: boolean
  readonly hasWindows?: boolean
}

/** Test files that run in one process share its browser; scripts/testing/test-group.ts closes it. */
const { testProcess } = globalThis as { testProcess?: Cleanup }
const launched = new Map<string, Promise<Browser>>()

async function launch(t: Cleanup, { isIsolated = true, hasWindows = false }: BrowserOptions): Promise<Browser> {
  const executablePath = hasWindows ? chromium : headlessChromium
  // imported lazily: most tests open no browser, and loading this is slow
  const playwright = await import('playwright-core')
  const network = isIsolated ? await startIsolatedNetwork(t, executablePath) : undefined
  const browser = await playwright.chromium.launch({
    executablePath,
    args: flags,
    ...network,
    env: { ...process.env, ...network?.env },
  })
  t.after(() => browser.close())
  return browser
}

/** A real browser. A page that throws, logs an error, violates its policy or requests another origin fails the test that opened it. */
export class TestBrowser {
  readonly #browser: Browser

  private constructor(browser: Browser) {
    this.#browser = browser
  }

  static async start(t: Cleanup, options: BrowserOptions = {}): Promise<TestBrowser> {
    if (testProcess === undefined) return new TestBrowser(await launch(t, options))
    const kind = JSON.stringify(options)
    const browser = launched.get(kind) ?? launch(testProcess, options)
    launched.set(kind, browser)
    return new TestBrowser(await browser)
  }

  /** A new browser context: nothing is shared with other pages. */
  async open(t: PageTest, url: string, options: PageOptions = {}): Promise<Page> {
    const { expected = [], storage = {}, ...more } = options
    const context = await this.#browser.newContext({ ...defaultContext, ...more })
    const faults: string[] = []
    t.after(async () => {
      if (t.passed === false) await logPages(context.pages())
      await context.close()
      assert.deepEqual(
        faults.filter((fault) => !expected.some((pattern) => pattern.test(fault))),
        [],
        'errors reported by the page',
      )
    })
    await context.addInitScript((entries) => {
      // about:blank has no local storage
      if ((globalThis as { origin?: string }).origin === 'null') return
      for (const [key, value] of Object.entries(entries))
        if (localStorage.getItem(key) === null) localStorage.setItem(key, value)
    }, storage)
    context.setDefaultTimeout(timeoutMs)
    // also the further tabs of this context
    context.on('page', (page) => watch(page, new URL(url).origin, faults))
    const page = await context.newPage()
    await page.goto(url)
    return page
  }
}

/** Logs what the pages show when a test fails. */
async function logPages(pages: readonly Page[]): Promise<void> {
  for (const page of pages)
    console.error(`${page.url()} shows:\n${await page.locator('body').ariaSnapshot().catch(String)}`)
}

/** A breach of the content security policy is an error in the console of the browser. */
function watch(page: Page, allowedOrigin: string, faults: string[]): void {
  page.on('pageerror', (error) => faults.push(`thrown: ${error.stack ?? error}`))
  page.on('console', (message) => {
    if (message.type() === 'error') faults.push(`console: ${message.text()}`)
  })
  page.on('request', (request) => {
    const { protocol, origin } = new URL(request.url())
    if (origin !== allowedOrigin && protocol !== 'data:' && protocol !== 'blob:')
      faults.push(`request to another origin: ${request.url()}`)
  })
}

const axe = createRequire(import.meta.url).resolve('axe-core/axe.min.js')

/** All that another theme can break. */
const colourRules = ['color-contrast', 'link-in-text-block']

/** What axe-core finds on the page as it is: rule, where, and why. After one full check, `colours` is enough in another theme. */
export async function accessibilityFaults(page: Page, only?: 'colours'): Promise<string[]> {
  const isLoaded = await page.evaluate(() => 'axe' in globalThis)
  // evaluated through the browser's debugger: the page's policy allows no script
  if (!isLoaded) await page.evaluate(readFileSync(axe, 'utf8'))
  return page.evaluate(async (rules) => {
    const { axe } = globalThis as unknown as { axe: typeof import('axe-core') }
    const { violations } = await axe.run({
      resultTypes: ['violations'],
      // only rules that are off by default read the style sheets
      preload: false,
      ...(rules && { runOnly: rules }),
    })
    return violations.flatMap(({ id, nodes }) =>
      nodes.map(({ target, failureSummary = '' }) => `${id} at ${target.join(' ')}: ${failureSummary}`),
    )
  }, only && colourRules)
}
