import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  addNotifications,
  countUnread,
  idOf,
  type JobNotification,
  markRead,
  maxNotifications,
  type Notification,
  reasonIn,
} from './notification.ts'

const ended = (jobUuid: string, at = 0, isRead = false): JobNotification => ({
  jobUuid,
  subjectUuid: null,
  operation: 'AddHost',
  state: 'Succeeded',
  at,
  isRead,
})

const uuids = (list: readonly Notification[]): string[] => list.map(idOf)

test('notifications are sorted by the end of their jobs, the newest first', () => {
  const list = addNotifications([ended('b', 2)], [ended('a', 1), ended('c', 3)])
  assert.deepEqual(uuids(list), ['c', 'b', 'a'])
})

test('a job has one notification, which stays read', () => {
  const list = addNotifications([ended('a', 1, true)], [ended('a', 1)])
  assert.deepEqual(list, [ended('a', 1, true)])
})

test('the oldest notifications are removed', () => {
  const many = Array.from({ length: maxNotifications + 5 }, (_, index) => ended(`j${index}`, index))
  const list = addNotifications([], many)
  assert.equal(list.length, maxNotifications)
  assert.equal(uuids(list).at(-1), 'j5')
})

test('one or all notifications are marked as read', () => {
  const list = [ended('a'), ended('b')]
  assert.equal(countUnread(list), 2)
  assert.equal(countUnread(markRead(list, (one) => idOf(one) === 'a')), 1)
  const read = markRead(list)
  assert.equal(countUnread(read), 0)
  assert.equal(markRead(read), read, 'nothing to store')
})

test('the reason is the text of the failure, and for a hook the last line that it printed', () => {
  const rows: [lines: string[], reason: string][] = [
    [['failed: SYS.1016 no space left on device'], 'no space left on device'],
    [['failed: something else'], 'something else'],
    [['failed: HOST.1003 host web-1 closed the connection', 'banner of the host'], 'host web-1 closed the connection'],
    [
      [
        "failed: SoftwarePackage.1300 the package's install ended with exit code 3: unpacking",
        'port in use',
        '---',
        '',
      ],
      "the package's install ended with exit code 3: port in use",
    ],
    [
      ["failed: SoftwarePackage.1300 the package's install ended with exit code 3: port in use"],
      "the package's install ended with exit code 3: port in use",
    ],
    [[], ''],
  ]
  for (const [lines, reason] of rows) assert.equal(reasonIn(lines), reason)
})
