import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { lazyPage, PageLoadError, prefetchPages } from './lazy-page.ts'

interface LazyInternals {
  readonly _payload: unknown
  readonly _init: (payload: unknown) => unknown
}

/** What React does with a lazy component: it throws a promise until the module is loaded. */
async function load(page: unknown): Promise<unknown> {
  const { _init, _payload } = page as LazyInternals
  for (let attempt = 0; attempt < 3; attempt++)
    try {
      return _init(_payload)
    } catch (thrown) {
      if (!(thrown instanceof Promise)) throw thrown
      await thrown.catch(() => {})
    }
  throw new Error('the page was not loaded')
}

const Page = () => null

async function settle(): Promise<void> {
  for (let turn = 0; turn < 10; turn++) await new Promise((resolve) => setImmediate(resolve))
}

test('a page is loaded when it is first opened', async () => {
  let loads = 0
  const page = lazyPage(async () => {
    loads++
    return { default: Page }
  })
  assert.equal(loads, 0)
  assert.equal(await load(page), Page)
  assert.equal(await load(page), Page)
  assert.equal(loads, 1)
})

test('a chunk that cannot be loaded is a PageLoadError with its cause', async () => {
  const cause = new TypeError('Failed to fetch dynamically imported module')
  const page = lazyPage(() => Promise.reject(cause))
  await assert.rejects(load(page), (error: unknown) => {
    assert.ok(error instanceof PageLoadError)
    assert.equal(error.cause, cause)
    return true
  })
})

function countedPages(): { loads: string[] } {
  const loads: string[] = []
  lazyPage(() => {
    loads.push('failing')
    return Promise.reject(new Error('no'))
  })
  lazyPage(async () => {
    loads.push('working')
    return { default: Page }
  })
  return { loads }
}

test('other pages are loaded in advance, also after one that fails', async (t: TestContext) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const { loads } = countedPages()
  prefetchPages()
  t.mock.timers.tick(2999)
  await settle()
  assert.deepEqual(loads, [])
  t.mock.timers.tick(1)
  await settle()
  assert.deepEqual(loads, ['failing', 'working'])
})

test('nothing is loaded in advance after the page was left', async (t: TestContext) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const { loads } = countedPages()
  const stop = prefetchPages()
  stop()
  t.mock.timers.tick(10_000)
  await settle()
  assert.deepEqual(loads, [])
})

test('nothing is loaded in advance for a user who saves data', async (t: TestContext) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  Object.defineProperty(navigator, 'connection', { value: { saveData: true }, configurable: true })
  t.after(() => Reflect.deleteProperty(navigator, 'connection'))
  const { loads } = countedPages()
  prefetchPages()
  t.mock.timers.tick(10_000)
  await settle()
  assert.deepEqual(loads, [])
})
