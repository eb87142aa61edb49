import assert from 'node:assert/strict'
import { test } from 'node:test'
import { conditionsOfView, jobViews, searchOfView, viewIn } from './job-views.ts'

test('the view is in the URL; anything else shows all jobs', () => {
  for (const view of jobViews) assert.equal(viewIn(new URLSearchParams({ view })), view)
  assert.equal(viewIn(new URLSearchParams()), 'all')
  assert.equal(viewIn(new URLSearchParams('view=constructor')), 'all')
})

test('a view adds its condition', () => {
  assert.deepEqual(conditionsOfView('all', 'u1'), [])
  assert.deepEqual(conditionsOfView('mine', 'u1'), ['userUuid=u1'])
  assert.deepEqual(conditionsOfView('failed', 'u1'), ['state=Failed'])
})

test('another view keeps the filter and the order, and starts at its first page', () => {
  const search = new URLSearchParams('q=summary~=%25host%25&sort=%2BcreateDate&page=3&view=mine')
  assert.equal(searchOfView(search, 'failed'), '?q=summary%7E%3D%25host%25&sort=%2BcreateDate&view=failed')
  assert.equal(searchOfView(new URLSearchParams('view=mine'), 'all'), '')
})
