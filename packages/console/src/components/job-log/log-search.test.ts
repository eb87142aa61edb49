import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Matches, maxMatches, nextPosition, searchLog, shownMatches } from './log-search.ts'

const lineOf = (number: number) => ({ number, time: '', line: '' })

test('a search reads the log in parts, then what is written later', async () => {
  const end = new AbortController()
  const calls: number[] = []
  const seen: Matches[] = []
  const parts = new Map([
    [0, { lines: [lineOf(7)], nextAfter: 20_000, lastNumber: 25_000 }],
    [20_000, { lines: [lineOf(24_000)], nextAfter: null, lastNumber: 25_000 }],
    [25_000, { lines: [], nextAfter: null, lastNumber: 25_010 }],
    [25_010, { lines: [lineOf(25_011)], nextAfter: null, lastNumber: 25_011 }],
  ])
  await searchLog({
    load: async (after) => {
      calls.push(after)
      return parts.get(after) ?? {}
    },
    untilLonger: async (count) => {
      if (count === 25_011) end.abort()
    },
    onMatches: (matches) => seen.push(matches),
    signal: end.signal,
  })
  assert.deepEqual(calls, [0, 20_000, 25_000, 25_010])
  assert.deepEqual(
    seen.map(({ numbers, isSearching }) => [numbers.length, isSearching]),
    [
      [0, true],
      [1, true],
      [2, false],
      [2, false],
      [3, false],
    ],
  )
  assert.deepEqual(seen.at(-1)?.numbers, [7, 24_000, 25_011])
})

test('a search ends with the most matches', async () => {
  const seen: Matches[] = []
  let calls = 0
  await searchLog({
    load: async (after) => ({
      lines: Array.from({ length: 1000 }, (_, index) => lineOf(after + index + 1)),
      nextAfter: 1000 * ++calls,
      lastNumber: 200_000,
    }),
    untilLonger: async () => assert.fail('it is not at the end of the log'),
    onMatches: (matches) => seen.push(matches),
    signal: new AbortController().signal,
  })
  assert.equal(calls, maxMatches / 1000)
  assert.deepEqual(
    [seen.at(-1)?.numbers.length, seen.at(-1)?.isLimited, seen.at(-1)?.isSearching],
    [maxMatches, true, false],
  )
})

test('an aborted search reports nothing more', async () => {
  const end = new AbortController()
  const seen: Matches[] = []
  await searchLog({
    load: async () => {
      end.abort()
      return { lines: [lineOf(1)] }
    },
    untilLonger: async () => {},
    onMatches: (matches) => seen.push(matches),
    signal: end.signal,
  })
  assert.equal(seen.length, 1)
})

test('hidden lines are not found, and headings by their title', () => {
  const titles = new Map([
    [1, 'Step: Copy the package'],
    [5, 'Step: Run the install hook'],
  ])
  const shown = { hidden: [9], titles }
  assert.deepEqual(shownMatches([1, 3, 9], 'hook', shown), [3, 5])
  assert.deepEqual(shownMatches([3, 7, 9], 'line', shown), [3, 7])
  assert.deepEqual(shownMatches([], 'COPY', shown), [1])
})

test('next and previous go around the ends', () => {
  assert.deepEqual(
    [nextPosition(2, 3, 1), nextPosition(0, 3, -1), nextPosition(0, 3, 1), nextPosition(0, 0, 1)],
    [0, 2, 1, 0],
  )
})
