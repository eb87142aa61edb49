import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { queryHost } from '@wharf/contract'
import { HookPage } from '../../data/testing/render-hook.ts'
import type { ListState } from '../list-state.ts'

const { useApiSource } = await import('./use-api-source.ts')

const hosts = Array.from({ length: 25 }, (_, index) => ({ uuid: `host-${index}` }))
const firstPage = { sort: '+name', page: 1 } as ListState

async function setup(t: TestContext, list: ListState) {
  const page = new HookPage(t)
  page.server.answer(queryHost, ({ count, start = 0, limit }) =>
    count ? { total: hosts.length } : { inventories: hosts.slice(Number(start), Number(start) + Number(limit)) },
  )
  const hook = await page.render((next: ListState) => useApiSource(queryHost, next, ['state=Enabled'], 10), list)
  const counts = () => page.server.inputsOf(queryHost).filter(({ count }) => count).length
  return { page, hook, counts }
}

test('a page is read and the records are counted once for all pages', async (t) => {
  const { page, hook, counts } = await setup(t, firstPage)
  assert.deepEqual([hook.current.records.length, hook.current.total], [10, 25])
  await hook.rerender({ ...firstPage, page: 3 })
  assert.deepEqual([hook.current.records.length, hook.current.records[0]?.uuid], [5, 'host-20'])
  assert.equal(counts(), 1)
  const reads = page.server.inputsOf(queryHost).filter(({ count }) => !count)
  assert.deepEqual(reads.at(-1), { q: ['state=Enabled'], sort: '+name', start: '20', limit: '10' })
})

test('a prepared page is shown at once, and read once', async (t) => {
  const { page, hook } = await setup(t, firstPage)
  await hook.current.preparePage?.(2)
  const reads = page.server.inputsOf(queryHost).length
  await hook.rerender({ ...firstPage, page: 2 })
  assert.deepEqual([hook.current.records[0]?.uuid, hook.current.isFetching], ['host-10', false])
  assert.equal(page.server.inputsOf(queryHost).length, reads)
})

test('a page that cannot be prepared fails when it is shown', async (t) => {
  const { page, hook } = await setup(t, firstPage)
  page.server.fail(queryHost)
  await hook.current.preparePage?.(2)
  assert.deepEqual([hook.current.error, hook.current.records.length], [null, 10])
  await hook.rerender({ ...firstPage, page: 2 })
  assert.match(hook.current.error?.message ?? '', /failed/)
})

test('a page beyond the last one is pending until the last one is shown; without a count it is empty', async (t) => {
  const { page, hook } = await setup(t, { ...firstPage, page: 9 })
  assert.deepEqual([hook.current.records, hook.current.isPending], [[], true])
  page.server.fail(queryHost)
  await hook.act(() => hook.current.refetch())
  assert.match(hook.current.error?.message ?? '', /failed/)
  assert.equal(hook.current.isPending, false)
})

test('refetching reads the page and counts again', async (t) => {
  const { page, hook, counts } = await setup(t, firstPage)
  await hook.act(() => hook.current.refetch())
  assert.deepEqual([counts(), page.server.inputsOf(queryHost).length], [2, 4])
})

test('an export reads the records of all pages with the same conditions', async (t) => {
  const { page, hook } = await setup(t, firstPage)
  let count = 0
  for await (const records of hook.current.readAll(new AbortController().signal)) count += [records].flat().length
  assert.equal(count, 25)
  assert.ok(String(page.server.inputsOf(queryHost).at(-1)?.q).includes('state=Enabled'))
})
