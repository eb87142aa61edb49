import assert from 'node:assert/strict'
import { test } from 'node:test'
import { toDate } from '@wharf/sdk'
import { endedJobs, type JobRecord, newlyEnded, nextSince, notificationOf } from './ended-jobs.ts'

const job = (uuid: string, state: JobRecord['state']): JobRecord =>
  ({ uuid, state, operation: 'AddHost', lastOpDate: 'Nov 5, 2026 1:02:03 AM' }) as JobRecord

test('only ended jobs that were not handled are new', () => {
  const jobs = [job('a', 'Succeeded'), job('b', 'Failed'), job('c', 'Running'), job('d', 'Cancelled')]
  assert.deepEqual(
    newlyEnded(jobs, new Set(['a'])).map(({ uuid }) => uuid),
    ['b', 'd'],
  )
})

test('the jobs on the hosts of a rollout are not notified one by one', () => {
  const { q } = endedJobs('u1', '2026-11-05T00:00:00.000Z')
  assert.ok(q.includes('operation!?=RemoveRelease,RollBackRelease,RollOutRelease,VerifyRelease'), q.join())
})

test('a job of an older version ended at its last change', () => {
  const { at } = notificationOf(job('a', 'Succeeded'), (time) => toDate(time), undefined)
  assert.equal(at, Date.parse('2026-11-05T01:02:03Z'))
})

test('a notification keeps the names of the records and the reason', () => {
  const failed = { ...job('a', 'Failed'), subjectName: 'web-1', endDate: 'Nov 5, 2026 1:02:00 AM' } as JobRecord
  const { subjectName, reason, at, isRead } = notificationOf(failed, (time) => toDate(time), 'exit code 3')
  assert.deepEqual([subjectName, reason, isRead], ['web-1', 'exit code 3', false])
  assert.equal(at, Date.parse('2026-11-05T01:02:00Z'))
})

test('the next query starts shortly before the newest job, and never earlier than the last one', () => {
  const next = (since: string, ...jobs: JobRecord[]): string => nextSince(jobs, since, (time) => toDate(time))
  assert.equal(next('2026-11-05T00:00:00.000Z', job('a', 'Failed')), '2026-11-05T01:01:03.000Z')
  assert.equal(next('2026-11-05T01:02:00.000Z', job('a', 'Failed')), '2026-11-05T01:02:00.000Z')
  assert.equal(next('2026-11-05T00:00:00.000Z'), '2026-11-05T00:00:00.000Z')
})
