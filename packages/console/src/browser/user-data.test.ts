import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import { defineGlobal, MemoryStorage } from './testing/fake-browser.ts'
import { removeUserData } from './user-data.ts'

const keys = (storage: MemoryStorage): string[] =>
  Array.from({ length: storage.length }, (_, index) => storage.key(index) ?? '')

let local = new MemoryStorage()
let session = new MemoryStorage()
beforeEach(() => {
  local = new MemoryStorage()
  session = new MemoryStorage()
  defineGlobal('localStorage', local)
  defineGlobal('sessionStorage', session)
  for (const key of ['wharf.recent.u1', 'wharf.recent.u2', 'wharf.notifications.u1', 'wharf.language'])
    local.setItem(key, 'x')
  for (const key of ['wharf.draft.u1.host', 'wharf.draft.u2.host', 'other']) session.setItem(key, 'x')
})

test('the data of all users is removed, and no setting', () => {
  removeUserData()
  assert.deepEqual([keys(local), keys(session)], [['wharf.language'], ['other']])
})

test('the data of one user can be kept', () => {
  removeUserData({ except: 'u2' })
  assert.deepEqual(
    [keys(local), keys(session)],
    [
      ['wharf.recent.u2', 'wharf.language'],
      ['wharf.draft.u2.host', 'other'],
    ],
  )
})
