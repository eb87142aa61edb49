import assert from 'node:assert/strict'
import { test } from 'node:test'
import { conditionsOfView, jobViews, viewIn } from './job-views.ts'

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
