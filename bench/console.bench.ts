import { gzipSync } from 'node:zlib'
import { builtConsole, type Page, TestBrowser } from '@wharf/testkit'
import { filledServer } from './bench-server.ts'
import { fillPackages } from './data.ts'
import { type Figure, median, reach } from './measure.ts'

const rows = 1_000_000
const pagesPerRound = 10

/** The first page: its weight and when it can be used. Then a table of a million, from the click to the next rows. */
export async function webConsole(rounds: number): Promise<Figure[]> {
  await using cleanup = new AsyncDisposableStack()
  await builtConsole()
  const server = await filledServer(cleanup, (file) => fillPackages(file, rows))
  await server.start()
  const browser = await TestBrowser.start(
    { after: (work) => cleanup.defer(work) },
    { isIsolated: false, hasWindows: true },
  )
  const bench = new ConsoleBench(browser, server.bootstrap)
  const ms = { unit: 'ms', atMost: true }
  return [
    await reach({ name: 'console: to the sign-in, gzip', unit: 'KiB', aim: 300, atMost: true }, 1, () =>
      bench.weight(),
    ),
    await reach({ name: 'console: first paint on slow 3G', aim: 1000, ...ms }, rounds, () => bench.firstPaint()),
    await reach({ name: 'console: to a usable sign-in on slow 3G', aim: 10_000, ...ms }, 1, () =>
      bench.signInOnSlowLine(),
    ),
    await reach({ name: 'console: to a usable sign-in', aim: 1500, ...ms }, rounds, () => bench.toSignIn()),
    await reach({ name: 'console: to the heading of the overview', aim: 1500, ...ms }, rounds, () =>
      bench.toOverview(),
    ),
    await reach({ name: 'console: next page of 1,000,000 packages', aim: 120, ...ms }, rounds, () => bench.nextPage()),
  ]
}

class ConsoleBench {
  readonly #browser: TestBrowser
  readonly #url: string
  readonly #password: string

  constructor(browser: TestBrowser, { url, password }: { url: string; password: string }) {
    this.#browser = browser
    this.#url = url
    this.#password = password
  }

  /** The page and all that it loads before the sign-in form works, compressed by gzip. */
  async weight(): Promise<number> {
    const html = await (await fetch(`${this.#url}/`)).text()
    const linked = [...html.matchAll(/(?:href|src)="([^"]+)"/g)].map(([, path = '']) => path)
    let bytes = gzipSync(html).length
    for (const path of linked) bytes += gzipSync(await (await fetch(new URL(path, `${this.#url}/`))).bytes()).length
    return bytes / 1024
  }

  /** From the request of the page to the first pixels that are not its background. */
  async firstPaint(): Promise<number> {
    let ms = 0
    await this.#visitSlowly(async (page) => {
      ms = await page.evaluate(firstContentfulPaint)
    })
    return ms
  }

  async signInOnSlowLine(): Promise<number> {
    let ms = 0
    await this.#visitSlowly(async (page, began) => {
      await page.getByLabel('Password').fill('typed')
      ms = performance.now() - began
    })
    return ms
  }

  /** From the address to the sign-in form, with an empty cache. */
  async toSignIn(): Promise<number> {
    const began = performance.now()
    let ms = 0
    await this.#visit('', async (page) => {
      await page.getByLabel('Password').fill('typed')
      ms = performance.now() - began
    })
    return ms
  }

  /** The same for a signed-in user, up to the heading of the overview. */
  async toOverview(): Promise<number> {
    let ms = 0
    await this.#visit('', async (page) => {
      await this.#signIn(page)
      const again = await page.context().newPage()
      const began = performance.now()
      await again.goto(this.#url)
      await again.getByRole('heading', { name: 'Overview', level: 1 }).waitFor()
      ms = performance.now() - began
    })
    return ms
  }

  async nextPage(): Promise<number> {
    const times: number[] = []
    await this.#visit('', async (page) => {
      await this.#signIn(page)
      await page.goto(`${this.#url}/#/packages`)
      await page.locator('tbody tr').nth(10).waitFor()
      for (let turn = 0; turn < pagesPerRound; turn++) times.push(await page.evaluate(turnPage))
    })
    return median(times)
  }

  async #signIn(page: Page): Promise<void> {
    await page.getByLabel('Password').fill(this.#password)
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Later' }).click()
    await page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor()
  }

  /** With an empty cache, at 400 kbit/s and 400 ms per round trip. */
  async #visitSlowly(work: (page: Page, began: number) => Promise<void>): Promise<void> {
    await this.#visit('', async (page) => {
      await page.goto('about:blank')
      const devTools = await page.context().newCDPSession(page)
      await devTools.send('Network.enable')
      await devTools.send('Network.clearBrowserCache')
      const bytesPerSecond = 400_000 / 8
      await devTools.send('Network.emulateNetworkConditions', {
        offline: false,
        latency: 400,
        downloadThroughput: bytesPerSecond,
        uploadThroughput: bytesPerSecond,
      })
      const began = performance.now()
      await page.goto(this.#url, { waitUntil: 'commit' })
      await work(page, began)
    })
  }

  async #visit(hash: string, work: (page: Page) => Promise<void>): Promise<void> {
    await using cleanup = new AsyncDisposableStack()
    const storage = { 'wharf.language': 'en', 'wharf.appearance': 'light' }
    const after = (end: () => Promise<void>) => cleanup.defer(end)
    await work(await this.#browser.open({ after }, `${this.#url}/${hash}`, { storage }))
  }
}

/** In the page. */
async function firstContentfulPaint(): Promise<number> {
  for (;;) {
    const [paint] = performance.getEntriesByName('first-contentful-paint')
    if (paint !== undefined) return paint.startTime
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

/** In the page: from the click to the frame that shows other rows. */
async function turnPage(): Promise<number> {
  // bench/ is compiled without the types of browsers
  const { document, requestAnimationFrame } = globalThis as unknown as {
    document: { querySelector(selector: string): { textContent: string; click(): void } | null }
    requestAnimationFrame(work: () => void): void
  }
  const firstRow = (): string => document.querySelector('tbody tr')?.textContent ?? ''
  const before = firstRow()
  const began = performance.now()
  document.querySelector('button[aria-label="Next page"]')?.click()
  const frame = () => new Promise<void>((resolve) => requestAnimationFrame(resolve))
  while (firstRow() === before || firstRow() === '') {
    if (performance.now() - began > 10_000) throw new Error('the next page is not shown')
    await frame()
  }
  await frame()
  return performance.now() - began
}
