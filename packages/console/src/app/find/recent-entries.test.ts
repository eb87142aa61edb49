import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import { defineGlobal, MemoryStorage } from '../../browser/testing/fake-browser.ts'
import type { FindEntry } from './find-entry.ts'
import { addRecent, readRecent } from './recent-entries.ts'

let storage = new MemoryStorage()
beforeEach(() => {
  storage = new MemoryStorage()
  defineGlobal('localStorage', storage)
})

const host = (name: string): FindEntry => ({ id: `host ${name}`, kind: 'host', label: name, target: `#/hosts/${name}` })
const labels = (userUuid = 'u1'): string[] => readRecent(userUuid).map(({ label }) => label)

test('the newest entry is first, and an entry is kept once', () => {
  for (const name of ['a', 'b', 'a']) addRecent('u1', host(name))
  assert.deepEqual(labels(), ['a', 'b'])
})

test('only the last six are kept', () => {
  for (const name of ['1', '2', '3', '4', '5', '6', '7']) addRecent('u1', host(name))
  assert.deepEqual(labels(), ['7', '6', '5', '4', '3', '2'])
})

test('each user has their own', () => {
  addRecent('u1', host('a'))
  assert.deepEqual(labels('u2'), [])
})

test('an action is stored without its function', () => {
  addRecent('u1', { id: 'action signOut', kind: 'action', label: 'Sign out', target: () => assert.fail() })
  assert.deepEqual(readRecent('u1')[0]?.target, '')
})

for (const text of [
  '{',
  '{}',
  '[null]',
  '[{"id":"x"}]',
  '[{"id":"host 1","kind":"host","label":"x","target":"https://x"}]',
])
  test(`${text} in the storage is not an entry`, () => {
    storage.setItem('wharf.recent.u1', text)
    assert.deepEqual(readRecent('u1'), [])
  })
