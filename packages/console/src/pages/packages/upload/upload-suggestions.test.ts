import assert from 'node:assert/strict'
import { test } from 'node:test'
import { uploadSuggestions } from './upload-suggestions.ts'

const recent = [
  { type: 'demo', installPath: '/opt/packages/a.tar', hostUuid: 'h1' },
  { type: 'Migrate', installPath: 'images/b.tar', hostUuid: null },
  { type: 'demo', installPath: '/opt/packages/c.tar', hostUuid: 'h1' },
  { type: 'demo', installPath: '/srv/d.tar', hostUuid: 'h2' },
  { type: 'web', installPath: 'root.tar', hostUuid: null },
  { type: 'web', installPath: '/e.tar', hostUuid: 'h1' },
]
const { types, foldersOf } = uploadSuggestions(recent)

test('each type is suggested once, the most recent first', () => assert.deepEqual(types, ['demo', 'Migrate', 'web']))

test('the folders of a host are those of its packages', () => {
  assert.deepEqual(foldersOf({ kind: 'host', uuid: 'h1' }), ['/opt/packages'])
  assert.deepEqual(foldersOf({ kind: 'host', uuid: 'h2' }), ['/srv'])
  assert.deepEqual(foldersOf({ kind: 'host', uuid: 'h3' }), [])
})

test('the folders of a storage are those of packages without a host', () => {
  assert.deepEqual(foldersOf({ kind: 'storage', uuid: 's1' }), ['images'])
})

test('without packages there are no suggestions', () => {
  const empty = uploadSuggestions([])
  assert.deepEqual([empty.types, empty.foldersOf(undefined)], [[], []])
})
