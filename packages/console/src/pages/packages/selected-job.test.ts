import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isUnlisted, selectedJob } from './selected-job.ts'

const jobs = [{ uuid: 'newest' }, { uuid: 'older' }]

test('without a job in the URL the newest is selected', () => {
  assert.equal(isUnlisted(jobs, undefined), false)
  assert.equal(selectedJob(jobs, undefined, false)?.uuid, 'newest')
})

test('a listed job is selected', () => {
  assert.equal(isUnlisted(jobs, 'older'), false)
  assert.equal(selectedJob(jobs, 'older', false)?.uuid, 'older')
})

test('while an unlisted job is loading, none is selected', () => {
  assert.equal(isUnlisted(jobs, 'ancient'), true)
  assert.equal(selectedJob(jobs, 'ancient', true), undefined)
})

test('a loaded job is selected, and a missing one falls back to the newest', () => {
  assert.equal(selectedJob([...jobs, { uuid: 'ancient' }], 'ancient', false)?.uuid, 'ancient')
  assert.equal(selectedJob(jobs, 'ancient', false)?.uuid, 'newest')
})

test('without jobs there is nothing to select', () => {
  assert.equal(selectedJob([], undefined, false), undefined)
  assert.equal(isUnlisted([], 'a'), true)
})
