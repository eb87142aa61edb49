import assert from 'node:assert/strict'
import { test } from 'node:test'
import { linkTo, parseRoute } from '../browser/route.ts'
import { segmentSearch, statusSegment } from './status-filter.ts'

const statuses = ['Waiting', 'Failed'] as const

const rows: [conditions: string[], segment: string | null][] = [
  [[], 'all'],
  [['status=Failed'], 'Failed'],
  [['status=Waiting'], 'Waiting'],
  [['status=Delivered'], null],
  [['status!=Failed'], null],
  [['status=Failed', 'name=a'], null],
  [['name=a'], null],
]
for (const [conditions, segment] of rows)
  test(`the filter "${conditions.join(' ')}" is the segment ${segment}`, () =>
    assert.equal(statusSegment(conditions, statuses), segment))

test('a segment is selected by the link that it opens', () => {
  for (const segment of ['all', ...statuses]) {
    const { search } = parseRoute(linkTo(['chat'], segmentSearch(segment)))
    assert.equal(statusSegment(search.getAll('q'), statuses), segment)
  }
})
