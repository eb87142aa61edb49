import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readPeriod } from './read-period.ts'

const hour = 3_600_000
const now = Date.parse('2026-11-05T12:00:00Z')
const options = { now, defaultMs: hour, timeZone: 'Asia/Shanghai' }

test('a period without fields is the default one until now', () => {
  assert.deepEqual(readPeriod({}, options), { from: now - hour, to: now })
})

test('a period without a start is the default one before its end', () => {
  const to = Date.parse('2026-11-01T00:00:00Z')
  assert.deepEqual(readPeriod({ to: '2026-11-01T00:00:00Z' }, options), { from: to - hour, to })
})

test('times may have the form of answers, in the zone of the server', () => {
  const { from } = readPeriod({ from: 'Nov 5, 2026 1:02:03 AM' }, options)
  assert.equal(from, Date.parse('2026-11-05T01:02:03+08:00'))
})

for (const [fields, reason] of [
  [{ from: 'yesterday' }, /^from must be a time such as /],
  [{ to: '2026-13-01' }, /^to must be a time such as /],
  [{ from: '2026-11-06' }, /^from must be earlier than to/],
  [{ from: '2026-11-05', to: '2026-11-05' }, /^from must be earlier than to/],
] as const)
  test(`refuses ${JSON.stringify(fields)}`, () =>
    assert.throws(() => readPeriod(fields, options), { code: 'SYS.1007', message: reason }))
