import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import { defineGlobal, fakeWindow, MemoryStorage } from '../../browser/testing/fake-browser.ts'
import { idOf, type JobNotification } from './notification.ts'
import { keyOf, NotificationStore } from './notification-store.ts'

fakeWindow()
beforeEach(() => defineGlobal('localStorage', new MemoryStorage()))

const ended = (jobUuid: string): JobNotification => ({
  jobUuid,
  subjectUuid: null,
  operation: 'AddHost',
  state: 'Failed',
  at: 1,
  isRead: false,
})
const since = 'Nov 5, 2026 1:02:03 AM'

test('a new browser starts an hour ago and has nothing to report', () => {
  const now = Date.parse('2026-11-05T12:00:00Z')
  assert.deepEqual(new NotificationStore('u').startJobs(now), {
    since: '2026-11-05T11:00:00.000Z',
    isFirst: true,
    handled: [],
  })
})

test('a reload continues where the last page ended', () => {
  new NotificationStore('u').handleJobs({ since, handled: ['a', 'b'] }, [ended('a')])
  const after = new NotificationStore('u')
  assert.deepEqual(after.startJobs(), { since, isFirst: false, handled: ['a', 'b'] })
  assert.deepEqual(after.notifications(), [ended('a')])
})

test('the states of rollouts and the ended jobs are kept side by side', () => {
  const store = new NotificationStore('u')
  assert.equal(store.startRollouts().isFirst, true)
  store.handleRollouts({ since, states: { r: 'Running' } }, [])
  store.handleJobs({ since, handled: ['a'] }, [ended('a')])
  store.handleRollouts({ since, states: { r: 'Succeeded' } }, [])
  const after = new NotificationStore('u')
  assert.deepEqual(after.startRollouts(), { since, isFirst: false, states: { r: 'Succeeded' } })
  assert.deepEqual([after.startJobs().handled, after.notifications()], [['a'], [ended('a')]])
})

test('each user has notifications of their own', () => {
  new NotificationStore('u').handleJobs({ since, handled: ['a'] }, [ended('a')])
  assert.deepEqual(new NotificationStore('v').notifications(), [])
})

test('read notifications stay read after a reload', () => {
  const store = new NotificationStore('u')
  store.handleJobs({ since, handled: ['a', 'b'] }, [ended('a'), ended('b')])
  let calls = 0
  store.subscribe(() => calls++)
  store.markRead((one) => idOf(one) === 'a')
  store.markRead((one) => idOf(one) === 'a')
  assert.equal(calls, 1, 'nothing changed the second time')
  const unread = new NotificationStore('u').notifications().filter(({ isRead }) => !isRead)
  assert.deepEqual(unread.map(idOf), ['b'])
})

test('an unreadable storage is like a new browser', () => {
  for (const text of ['', '{', '{}', '{"notifications":[{"endedAt":1}],"since":"x","handled":[]}', '{"jobs":1}']) {
    localStorage.setItem(keyOf('u'), text)
    const store = new NotificationStore('u')
    assert.deepEqual([store.startJobs().isFirst, store.notifications()], [true, []], text)
  }
})
