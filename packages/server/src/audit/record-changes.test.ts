import assert from 'node:assert/strict'
import { test } from 'node:test'
import { changesText } from './record-changes.ts'

const shown = (before: unknown, after: unknown) => JSON.parse(changesText({ field: { before, after } })).field

test('short values are shown whole', () => {
  assert.deepEqual(shown(null, 'a'), { before: null, after: 'a' })
  assert.deepEqual(shown({ a: 1 }, { a: 2 }), { before: { a: 1 }, after: { a: 2 } })
})

test('a long value is cut so that what differs is shown', () => {
  const same = 'x'.repeat(3000)
  const { before, after } = shown(`${same}old${same}`, `${same}new${same}`)
  assert.match(before, /^…x+oldx+…$/)
  assert.match(after, /^…x+newx+…$/)
  const start = shown(`old${same}`, `new${same}`)
  assert.match(start.before, /^oldx+…$/)
  assert.match(start.after, /^newx+…$/)
  assert.match(shown(same, `${same}end`).after, /^…x+end$/)
})

test('of a long map the members that differ are shown', () => {
  const labels = Object.fromEntries(Array.from({ length: 60 }, (_, index) => [`label-${index + 10}`, 'v'.repeat(60)]))
  const { 'label-69': removed, ...rest } = labels
  const { before, after } = shown(labels, rest)
  assert.match(before, /"label-69":"v+"}$/)
  assert.doesNotMatch(after, /label-69/)
})

test('all changes together take at most 8 KiB, and no character is halved', () => {
  const long = '😀'.repeat(2000)
  const fields = Array.from({ length: 40 }, (_, index) => [`field${index}`, { before: long, after: `${long}!` }])
  const text = changesText(Object.fromEntries(fields))
  assert.ok(Buffer.byteLength(text) <= 8192)
  assert.ok(text.isWellFormed())
  assert.match(text, /!"/)
})
