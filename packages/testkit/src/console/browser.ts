import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Browser, BrowserContext, BrowserContextOptions, Page, ViewportSize } from 'playwright-core'
import { startIsolatedNetwork } from './isolated-network.ts'

export type { Locator, Page } from 'playwright-core'

export interface Cleanup {
  after(work: () => Promise<void>): void
}

/** The test that opens a page; `passed` is its result. */
export interface PageTest extends Cleanup {
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

/** A page of a test is closed before optimized code has repaid its compilation. */
const withoutOptimizer = '--js-flags=--no-turbofan'

/** The limit of every wait. */
const timeoutMs = 15_000

/** No animations: a check in the middle of one sees neither the old nor the new state. */
const defaultContext = { locale: 'en-US', reducedMotion: 'reduce' } as const
const defaultViewport: ViewportSize = { width: 1440, height: 900 }

export interface ContextOptions extends BrowserContextOptions {
  readonly viewport?: ViewportSize
  readonly colorScheme?: 'light' | 'dark'
}

export interface PageOptions extends ContextOptions {
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
    args: isIsolated && !hasWindows ? [...flags, withoutOptimizer] : flags,
    ...network,
    env: { ...process.env, ...network?.env },
  })
  t.after(() => browser.close())
  return browser
}

/**
 * Contexts that no test uses, by their options; their pages are blank. A console that is opened again in the same tab takes
 * half the CPU time, because the browser has its compiled scripts.
 */
const idleContexts = new Map<string, BrowserContext[]>()

/** A real browser. A page that throws, logs an error, violates its policy or requests another origin fails the test that opened it. */
export class TestBrowser {
  readonly #browser: Browser
  readonly #kind: string

  private constructor(browser: Browser, kind: string) {
    this.#browser = browser
    this.#kind = kind
  }

  static async start(t: Cleanup, options: BrowserOptions = {}): Promise<TestBrowser> {
    const kind = JSON.stringify(options)
    if (testProcess === undefined) return new TestBrowser(await launch(t, options), kind)
    const browser = launched.get(kind) ?? launch(testProcess, options)
    launched.set(kind, browser)
    return new TestBrowser(await browser, kind)
  }

  /** A page with empty storage. Nothing is shared with the other pages of the test. */
  async open(t: PageTest, url: string, { expected, storage, ...options }: PageOptions = {}): Promise<Page> {
    const page = await this.takePage(options)
    watchFaults(t, page, new URL(url).origin, expected)
    t.after(() => this.returnPage(page, { ...options, isReusable: t.passed !== false }))
    await openWithStorage(page, url, storage)
    return page
  }

  /** Blank, in a context that nobody else uses until it is returned. */
  async takePage({
    viewport = defaultViewport,
    colorScheme = 'light',
    ...options
  }: ContextOptions = {}): Promise<Page> {
    const context = idleContexts.get(this.#kindOf(options))?.pop() ?? (await this.#newContext(options))
    context.setDefaultTimeout(timeoutMs)
    const [page = await context.newPage()] = context.pages()
    await page.setViewportSize(viewport)
    await page.emulateMedia({ colorScheme })
    return page
  }

  async #newContext(options: ContextOptions): Promise<BrowserContext> {
    const context = await this.#browser.newContext({ ...defaultContext, ...options })
    // the console then loads no page in advance
    await context.addInitScript(
      `Object.defineProperty(navigator, 'connection', { value: { saveData: true }, configurable: true })`,
    )
    return context
  }

  async returnPage(
    page: Page,
    { isReusable, viewport: _, colorScheme: __, ...options }: ContextOptions & { isReusable: boolean },
  ): Promise<void> {
    const context = page.context()
    if (!isReusable || testProcess === undefined) return context.close()
    await clearContext(context)
    const kind = this.#kindOf(options)
    idleContexts.set(kind, [...(idleContexts.get(kind) ?? []), context])
  }

  #kindOf(options: ContextOptions): string {
    return `${this.#kind} ${JSON.stringify(options)}`
  }
}

/** Replaces what earlier tests stored, before the first script of the page runs. */
export async function openWithStorage(
  page: Page,
  url: string,
  entries: Readonly<Record<string, string>> = {},
): Promise<void> {
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('Page.enable')
  const source = `if (origin !== 'null') {
    localStorage.clear()
    sessionStorage.clear()
    for (const [key, value] of Object.entries(${JSON.stringify(entries)})) localStorage.setItem(key, value)
  }`
  const { identifier } = await devtools.send('Page.addScriptToEvaluateOnNewDocument', { source })
  await page.goto(url)
  await devtools.send('Page.removeScriptToEvaluateOnNewDocument', { identifier })
  await devtools.detach()
}

/** Not all events: Playwright listens to its own, and could not close a context without them. */
const testedEvents = ['console', 'dialog', 'pageerror', 'request', 'response']

/** Leaves one blank page, and ends what the pages still do. */
async function clearContext(context: BrowserContext): Promise<void> {
  const page = await endTest(context)
  // a form with unsaved input requests a confirmation before the page is left
  page?.on('dialog', (question) => void question.accept())
  await page?.goto('about:blank')
  page?.removeAllListeners('dialog')
}

/** Leaves the first page, without the listeners and routes of a test. */
async function endTest(context: BrowserContext): Promise<Page | undefined> {
  context.removeAllListeners('page')
  const [first, ...others] = context.pages()
  for (const page of others) await page.close()
  for (const event of testedEvents) first?.removeAllListeners(event)
  await first?.unrouteAll({ behavior: 'ignoreErrors' })
  return first
}

/** After the test: logs what the pages show if it has failed, and rejects what they reported meanwhile. */
export function watchFaults(t: PageTest, page: Page, allowedOrigin: string, expected: readonly RegExp[] = []): void {
  const context = page.context()
  const faults: string[] = []
  t.after(async () => {
    if (t.passed === false) await logPages(context.pages())
    await endTest(context)
    assert.deepEqual(
      faults.filter((fault) => !expected.some((pattern) => pattern.test(fault))),
      [],
      'errors reported by the page',
    )
  })
  watch(page, allowedOrigin, faults)
  // also the further tabs of this context
  context.on('page', (tab) => watch(tab, allowedOrigin, faults))
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

/** The rule rejects important declarations only, and reads all text in each element that it is given: half of the CPU time. */
const axeSettings = { noHtml: true, rules: [{ id: 'avoid-inline-spacing', selector: '[style*=important]' }] }

/** The top bar and the navigation: more than half of the elements of most pages, and the same on all of them. */
const frame = ['#top', 'nav:has(a[href="./docs"])']

/**
 * What axe-core finds on the page as it is: rule, where, and why; in the frame of the page only with `withFrame`. After one
 * full check, `colours` is enough in another theme. `structure` leaves out the colours, which take more than half of the time:
 * for pages whose components have been checked elsewhere.
 */
export async function accessibilityFaults(page: Page, only?: 'colours' | 'structure' | 'withFrame'): Promise<string[]> {
  const isLoaded = await page.evaluate(() => 'axe' in globalThis)
  // evaluated through the browser's debugger: the page's policy allows no script
  if (!isLoaded) await page.evaluate(`${readFileSync(axe, 'utf8')}; axe.configure(${JSON.stringify(axeSettings)})`)
  return page.evaluate(
    async ({ runOnly, disabled, exclude }) => {
      const { axe } = globalThis as unknown as { axe: typeof import('axe-core') }
      const { violations } = await axe.run(
        { exclude },
        {
          resultTypes: ['violations'],
          // only rules that are off by default read the style sheets
          preload: false,
          ...(runOnly && { runOnly }),
          rules: Object.fromEntries(disabled.map((rule) => [rule, { enabled: false }])),
        },
      )
      return violations.flatMap(({ id, nodes }) =>
        nodes.map(({ target, failureSummary = '' }) => `${id} at ${target.join(' ')}: ${failureSummary}`),
      )
    },
    {
      runOnly: only === 'colours' ? colourRules : undefined,
      disabled: only === 'structure' ? colourRules : [],
      exclude: only === 'withFrame' ? [] : frame,
    },
  )
}
