import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { getApiJobLogLines } from '@wharf/contract'
import { HookPage } from '../../data/testing/render-hook.ts'
import type { LogHeadings } from './log-headings.ts'
import { LogPages } from './log-pages.ts'

const { useLogSearch } = await import('./use-log-search.ts')

const lineOf = (number: number, line: string) => ({ number, time: '2026-11-05T01:02:03.456Z', line })

async function setup(t: TestContext, text: string) {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const page = new HookPage(t)
  const pages = new LogPages(async () => ({ lines: [], lastNumber: 0 }))
  pages.append([lineOf(1, 'an error'), lineOf(2, 'fine'), lineOf(3, 'another error')])
  page.server.answer(getApiJobLogLines, ({ after, contains }) => ({
    lines: [lineOf(1, 'an error'), lineOf(3, 'another error')].filter(
      ({ number, line }) => number > Number(after ?? 0) && line.includes(String(contains)),
    ),
    lastNumber: pages.count,
  }))
  const headings: LogHeadings = { kinds: new Map(), titles: new Map(), hidden: [] }
  const hook = await page.render((typed: string) => useLogSearch('job-1', pages, typed, headings), text)
  const tick = (ms: number): Promise<void> => hook.act(() => t.mock.timers.tick(ms))
  const searched = () => page.server.inputsOf(getApiJobLogLines).map(({ contains }) => contains)
  return { page, pages, hook, tick, searched }
}

test('a word is searched once the user has stopped typing', async (t) => {
  const { hook, tick, searched } = await setup(t, 'err')
  assert.equal(hook.current.matches.isSearching, true)
  await tick(249)
  await hook.rerender('error')
  await tick(249)
  assert.deepEqual(searched(), [])
  await tick(1)
  assert.deepEqual([...new Set(searched())], ['error'])
  assert.deepEqual(hook.current.matches.numbers, [1, 3])
})

test('without a text nothing is searched or marked', async (t) => {
  const { hook, tick, searched } = await setup(t, 'error')
  await tick(250)
  const before = searched().length
  await hook.rerender('')
  assert.deepEqual(hook.current.matches.numbers, [])
  assert.equal(hook.current.matches.isSearching, false)
  await tick(2000)
  assert.equal(searched().length, before)
})

test('a search that fails shows the error, and the next one removes it', async (t) => {
  const { page, hook, tick } = await setup(t, 'error')
  page.server.fail(getApiJobLogLines)
  await tick(250)
  assert.match(String(hook.current.error), /failed/)
  assert.equal(hook.current.matches.isSearching, false)
  await hook.rerender('fine')
  assert.equal(hook.current.error, undefined)
})

test('lines that arrive later are searched after a pause', async (t) => {
  const { pages, hook, tick, searched } = await setup(t, 'error')
  await tick(250)
  const before = searched().length
  await hook.act(() => pages.append([lineOf(4, 'one more')]))
  assert.equal(searched().length, before)
  await tick(1000)
  assert.equal(searched().length, before + 1)
})
