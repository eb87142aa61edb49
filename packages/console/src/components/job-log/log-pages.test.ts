import assert from 'node:assert/strict'
import { mock, test } from 'node:test'
import { setImmediate as settled } from 'node:timers/promises'
import { type LogLine, LogPages } from './log-pages.ts'

const lineOf = (number: number): LogLine => ({ number, time: '2026-11-05T01:02:03.456Z', line: `line ${number}` })
const linesOf = (first: number, last: number): LogLine[] =>
  Array.from({ length: Math.max(0, last - first + 1) }, (_, index) => lineOf(first + index))

/** A log of `count` lines on a server, and the calls that it received. */
function logOf(count: number, limits = {}) {
  const calls: number[] = []
  const server = { count }
  const pages = new LogPages(
    async (after) => {
      calls.push(after)
      return { lines: linesOf(after + 1, Math.min(server.count, after + 1000)), lastNumber: server.count }
    },
    { loadIntervalMs: 0, ...limits },
  )
  return { pages, calls, server }
}

test('pages are loaded when they are needed, once', async () => {
  const { pages, calls } = logOf(200_000)
  await pages.loadPage(0)
  assert.equal(pages.count, 200_000)
  assert.equal(pages.line(1000)?.line, 'line 1000')
  assert.equal(pages.line(199_990), undefined)
  pages.require(199_950, 200_000)
  pages.require(199_951, 200_000)
  await settled()
  pages.require(199_951, 200_000)
  assert.deepEqual(calls, [0, 199_000])
  assert.equal(pages.line(199_990)?.line, 'line 199990')
  pages.require(150_999, 151_002)
  await settled()
  assert.deepEqual(calls, [0, 199_000, 150_000, 151_000])
})

test('a drag over many pages loads the first and the one where it ends', async () => {
  mock.timers.enable({ apis: ['setTimeout'] })
  const { pages, calls } = logOf(200_000, { loadIntervalMs: 100 })
  await pages.loadPage(0)
  for (let first = 100_001; first < 150_000; first += 1000) pages.require(first, first + 50)
  assert.deepEqual(calls, [0, 100_000])
  const now = performance.now() + 100
  const time = mock.method(performance, 'now', () => now)
  mock.timers.tick(100)
  await settled()
  assert.deepEqual(calls, [0, 100_000, 149_000])
  assert.equal(pages.line(149_001)?.line, 'line 149001')
  time.mock.restore()
  mock.timers.reset()
})

test('nothing is loaded after the reader has left, until lines are needed again', async () => {
  mock.timers.enable({ apis: ['setTimeout'] })
  const { pages, calls } = logOf(200_000, { loadIntervalMs: 100 })
  await pages.loadPage(0)
  pages.require(100_001, 100_050)
  pages.require(150_001, 150_050)
  pages.stopWaiting()
  const now = performance.now() + 100
  const time = mock.method(performance, 'now', () => now)
  mock.timers.tick(100)
  assert.deepEqual(calls, [0, 100_000])
  pages.require(150_001, 150_050)
  assert.deepEqual(calls, [0, 100_000, 150_000])
  time.mock.restore()
  mock.timers.reset()
})

test('new lines are appended, and the lines before them are loaded when they are needed', async () => {
  const { pages, calls, server } = logOf(1500)
  await pages.loadPage(0)
  server.count = 1501
  pages.append([lineOf(1501)])
  assert.deepEqual([pages.count, pages.line(1501)?.line, pages.line(1500)], [1501, 'line 1501', undefined])
  pages.require(1450, 1501)
  await settled()
  assert.equal(pages.line(1500)?.line, 'line 1500')
  server.count = 1502
  pages.append([lineOf(1502)])
  pages.require(1450, 1502)
  assert.deepEqual(calls, [0, 1000])
})

test('memory is bounded: pages that were not visible for the longest time are removed', async () => {
  const { pages, calls } = logOf(100_000, { maxCharacters: 500_000 })
  await pages.loadPage(0)
  for (let first = 1; first < 100_000; first += 1000) {
    pages.require(first, first + 50)
    await settled()
  }
  const kept = Array.from({ length: 100 }, (_, page) => pages.line(page * 1000 + 1)).filter(Boolean).length
  assert.ok(kept >= 4 && kept <= 6, `${kept} pages`)
  assert.equal(pages.line(99_001)?.line, 'line 99001')
  assert.equal(pages.line(1), undefined)
  pages.require(1, 50)
  await settled()
  assert.equal(pages.line(1)?.line, 'line 1')
  assert.equal(calls.filter((after) => after === 0).length, 2)
})

test('lines that arrive while the reader is elsewhere do not fill the memory', () => {
  const { pages } = logOf(0, { maxCharacters: 500_000 })
  for (let first = 1; first < 50_000; first += 500) pages.append(linesOf(first, first + 499))
  assert.equal(pages.count, 50_000)
  assert.deepEqual([pages.line(1), pages.line(50_000)?.line], [undefined, 'line 50000'])
})

test('a page that fails to load is reported, and loaded again later', async () => {
  let isBroken = true
  let calls = 0
  const pages = new LogPages(async (after) => {
    calls++
    if (isBroken) throw new Error('no server')
    return { lines: linesOf(after + 1, 10), lastNumber: 10 }
  })
  const time = mock.method(performance, 'now', () => 0)
  await pages.loadPage(0)
  assert.match(String(pages.error), /no server/)
  pages.append([lineOf(10)])
  pages.require(1, 10)
  assert.equal(calls, 1)
  isBroken = false
  time.mock.mockImplementation(() => 6000)
  pages.require(1, 10)
  await settled()
  time.mock.restore()
  assert.deepEqual([calls, pages.error, pages.line(1)?.line], [2, undefined, 'line 1'])
})

test('listeners learn of every change', async () => {
  const { pages } = logOf(10)
  let changes = 0
  const stop = pages.subscribe(() => changes++)
  await pages.loadPage(0)
  pages.append([lineOf(11)])
  assert.equal(changes, 2)
  assert.equal(pages.getVersion(), 2)
  stop()
  pages.append([lineOf(12)])
  assert.equal(changes, 2)
})
