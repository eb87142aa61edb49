import assert from 'node:assert/strict'
import { test } from 'node:test'
import { toDate } from '@wharf/sdk'
import { type JobRecord, newlyEnded, notificationOf } from './ended-jobs.ts'

const job = (uuid: string, state: JobRecord['state']): JobRecord =>
  ({ uuid, state, operation: 'AddHost', lastOpDate: 'Nov 5, 2026 1:02:03 AM' }) as JobRecord

test('only ended jobs that were not handled are new', () => {
  const jobs = [job('a', 'Succeeded'), job('b', 'Failed'), job('c', 'Running'), job('d', 'Cancelled')]
  assert.deepEqual(
    newlyEnded(jobs, new Set(['a'])).map(({ uuid }) => uuid),
    ['b', 'd'],
  )
})

test('a job of an older version ended at its last change', () => {
  const { endedAt } = notificationOf(job('a', 'Succeeded'), (time) => toDate(time), undefined)
  assert.equal(endedAt, Date.parse('2026-11-05T01:02:03Z'))
})

test('a notification keeps the names of the records and the reason', () => {
  const failed = { ...job('a', 'Failed'), subjectName: 'web-1', endDate: 'Nov 5, 2026 1:02:00 AM' } as JobRecord
  const { subjectName, reason, endedAt, isRead } = notificationOf(failed, (time) => toDate(time), 'exit code 3')
  assert.deepEqual([subjectName, reason, isRead], ['web-1', 'exit code 3', false])
  assert.equal(endedAt, Date.parse('2026-11-05T01:02:00Z'))
})
