import assert from 'node:assert/strict'
import { test } from 'node:test'
import { periodIn, searchOfPeriod, startOf } from './audit-period.ts'

const now = Date.UTC(2026, 10, 5, 12)

test('a period ends now', () => {
  assert.equal(startOf('day', now), '2026-11-04T12:00:00.000Z')
  assert.equal(startOf('week', now), '2026-10-29T12:00:00.000Z')
  assert.equal(startOf('month', now), '2026-10-06T12:00:00.000Z')
  assert.equal(startOf('all', now), undefined)
})

test('the period is part of the URL, beside the filter', () => {
  const search = new URLSearchParams('q=outcome=Denied&page=3')
  assert.equal(periodIn(search), 'all')
  assert.equal(searchOfPeriod(search, 'week'), '?q=outcome%3DDenied&period=week')
  assert.equal(periodIn(new URLSearchParams('period=week')), 'week')
  assert.equal(periodIn(new URLSearchParams('period=century')), 'all')
  assert.equal(searchOfPeriod(new URLSearchParams('period=week'), 'all'), '')
})
