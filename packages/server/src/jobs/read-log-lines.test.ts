import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readLogLines } from './read-log-lines.ts'

/** A log of this many lines, each of this many characters; the last one contains `end`. */
function logOf(count: number, length: number) {
  let read = 0
  return {
    lastLogLine: async () => count,
    readLog: async (jobUuid: string, after: number, limit: number) =>
      Array.from({ length: Math.min(limit, count - after) }, (_, index) => {
        read++
        const sequence = after + index + 1
        return { jobUuid, sequence, at: 0, kind: null, line: (sequence === count ? 'End' : '').padEnd(length, 'x') }
      }),
    read: () => read,
  }
}

const signal = new AbortController().signal

test('a search reads a bounded number of characters, and the next call continues', async () => {
  const log = logOf(1500, 8192)
  const first = await readLogLines(log, 'a', { contains: 'end' }, signal)
  assert.deepEqual([first.lines.length, first.nextAfter], [0, 512])
  assert.ok(log.read() <= 600, `${log.read()} lines were read`)
  const second = await readLogLines(log, 'a', { contains: 'end', after: 512 }, signal)
  assert.deepEqual([second.lines.length, second.nextAfter], [0, 1024])
  const third = await readLogLines(log, 'a', { contains: 'end', after: 1024 }, signal)
  assert.deepEqual([third.lines.map(({ number }) => number), third.nextAfter], [[1500], null])
})

test('a search reads a bounded number of lines', async () => {
  const { lines, nextAfter } = await readLogLines(logOf(30_000, 1), 'a', { contains: 'end' }, signal)
  assert.deepEqual([lines.length, nextAfter], [0, 20_000])
})

test('a part without a search is returned whole', async () => {
  const { lines, nextAfter } = await readLogLines(logOf(1500, 8192), 'a', { limit: 1000 }, signal)
  assert.deepEqual([lines.length, nextAfter], [1000, 1000])
})

test('a search ends when its caller has disconnected', async () => {
  const log = logOf(10_000, 1)
  const abort = new AbortController()
  const reading = readLogLines(log, 'a', { contains: 'end' }, abort.signal)
  abort.abort()
  await reading
  assert.ok(log.read() <= 200, `${log.read()} lines were read`)
})
