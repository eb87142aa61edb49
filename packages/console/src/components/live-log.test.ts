import assert from 'node:assert/strict'
import { test } from 'node:test'
import { appendLines, emptyLog, maxLines } from './live-log.ts'

const numbered = (from: number, count: number): string[] =>
  Array.from({ length: count }, (_, index) => `line ${from + index}`)

test('lines are appended in order', () => {
  const log = appendLines(appendLines(emptyLog, ['a']), ['b', 'c'])
  assert.deepEqual(log.lines, ['a', 'b', 'c'])
  assert.equal(log.truncatedCount, 0)
})

test('a full log keeps the last lines and counts the others', () => {
  const full = appendLines(emptyLog, numbered(1, maxLines))
  assert.equal(full.truncatedCount, 0)
  const log = appendLines(full, numbered(maxLines + 1, 3))
  assert.equal(log.lines.length, maxLines)
  assert.equal(log.lines[0], 'line 4')
  assert.equal(log.lines.at(-1), `line ${maxLines + 3}`)
  assert.equal(log.truncatedCount, 3)
})

test('the count of truncated lines accumulates', () => {
  let log = emptyLog
  for (let batch = 0; batch < 4; batch++) log = appendLines(log, numbered(batch * 2000 + 1, 2000))
  assert.equal(log.truncatedCount + log.lines.length, 8000)
  assert.equal(log.lines.at(-1), 'line 8000')
})

test('one batch larger than the limit is truncated too', () => {
  const log = appendLines(emptyLog, numbered(1, maxLines + 10))
  assert.equal(log.lines[0], 'line 11')
  assert.equal(log.truncatedCount, 10)
})

test('appending keeps the connection state and the error', () => {
  const error = new Error('no')
  const log = appendLines({ ...emptyLog, isReconnecting: true, error }, ['a'])
  assert.equal(log.isReconnecting, true)
  assert.equal(log.error, error)
})
