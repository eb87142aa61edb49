import type { Page } from 'playwright-core'
import type { TestServer } from '../server/server.ts'
import { type Cleanup, openWithStorage, type PageTest, type TestBrowser, watchFaults } from './browser.ts'
import { signedIn } from './console.ts'

/**
 * A console that several tests of a file use, one after the other: another place in it takes a third of the CPU time of a page
 * that is loaded. Storage and what the console has read remain, so a test leaves no dialog open and nothing unsaved.
 */
export class SharedPage {
  readonly #cleanup: Cleanup
  readonly #browser: TestBrowser
  readonly #url: string
  readonly #storage: Readonly<Record<string, string>>
  #page: Page | undefined

  private constructor(cleanup: Cleanup, browser: TestBrowser, url: string, storage: Readonly<Record<string, string>>) {
    this.#cleanup = cleanup
    this.#browser = browser
    this.#url = url
    this.#storage = storage
  }

  /** Of the first admin; English and light. */
  static async signIn(cleanup: Cleanup, browser: TestBrowser, server: TestServer): Promise<SharedPage> {
    const storage = { ...(await signedIn(server)), 'wharf.language': 'en', 'wharf.appearance': 'light' }
    return new SharedPage(cleanup, browser, server.url, storage)
  }

  /** A test after one that has failed loads the console again. */
  async open(t: PageTest, place: string, expected?: readonly RegExp[]): Promise<Page> {
    const address = `${this.#url}/#/${place}`
    const loaded = this.#page
    const page = loaded ?? (await this.#browser.takePage())
    this.#page = page
    watchFaults(t, page, new URL(address).origin, expected)
    t.after(async () => {
      if (t.passed === false) this.#page = undefined
    })
    if (loaded === undefined) {
      this.#cleanup.after(() => this.#browser.returnPage(page, { isReusable: this.#page === page }))
      await openWithStorage(page, address, this.#storage)
    } else await page.goto(address)
    return page
  }
}
