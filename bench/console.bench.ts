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
    await reach({ name: 'console: first page, gzip', unit: 'KiB', aim: 450, atMost: true }, 1, () => bench.weight()),
    await reach({ name: 'console: to a usable sign-in', aim: 1500, ...ms }, rounds, () => bench.toSignIn()),
    await reach({ name: 'console: to the heading of the overview', aim: 1500, ...ms }, rounds, () =>
      bench.toOverview(),
    ),
    await reach({ name: 'console: next page of 1,000,000 packages', aim: 300, ...ms }, rounds, () => bench.nextPage()),
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

  /** Everything but the answers of the API that is fetched until the overview is shown, compressed by gzip. */
  async weight(): Promise<number> {
    const fetched = new Set<string>()
    await this.#visit('', async (page) => {
      page.on('request', (request) => {
        if (!request.url().includes('/v1/')) fetched.add(request.url())
      })
      await page.reload()
      await this.#signIn(page)
    })
    let bytes = 0
    for (const url of fetched) bytes += gzipSync(await (await fetch(url)).bytes()).length
    return bytes / 1024
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
    await page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor()
  }

  async #visit(hash: string, work: (page: Page) => Promise<void>): Promise<void> {
    await using cleanup = new AsyncDisposableStack()
    const storage = { 'wharf.language': 'en', 'wharf.appearance': 'light' }
    const after = (end: () => Promise<void>) => cleanup.defer(end)
    await work(await this.#browser.open({ after }, `${this.#url}/${hash}`, { storage }))
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
