import assert from 'node:assert/strict'
import { test } from 'node:test'
import { FlashList, maxFlashes, successMs } from './flash-list.ts'
import { type EndState, idOf, type JobNotification } from './notification.ts'

const ended = (jobUuid: string, state: EndState): JobNotification => ({
  jobUuid,
  subjectUuid: null,
  operation: 'AddHost',
  state,
  at: 0,
  isRead: false,
})
const uuids = (list: FlashList): string[] => list.read().map(idOf)

test('a success disappears, a failure stays until it is dismissed', (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const list = new FlashList()
  list.add([ended('a', 'Succeeded'), ended('b', 'Failed'), ended('c', 'Cancelled')])
  t.mock.timers.tick(successMs - 1)
  assert.deepEqual(uuids(list), ['a', 'b', 'c'])
  t.mock.timers.tick(1)
  assert.deepEqual(uuids(list), ['b'])
  list.dismiss('b')
  assert.deepEqual(uuids(list), [])
})

test('only the newest are shown', () => {
  const list = new FlashList()
  list.add(Array.from({ length: maxFlashes }, (_, index) => ended(`old ${index}`, 'Succeeded')))
  list.add([ended('first', 'Failed')])
  assert.deepEqual(uuids(list), ['first', 'old 0', 'old 1'])
  list.add([ended('second', 'Failed')])
  assert.deepEqual(uuids(list), ['second', 'old 0', 'old 1'])
})
