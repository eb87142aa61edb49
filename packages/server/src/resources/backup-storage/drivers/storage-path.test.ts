import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkedPath, foldersOf, newPartName, newProbeName, partPrefix } from './storage-path.ts'

for (const { given, path } of [
  { given: 'file', path: 'file' },
  { given: '/file', path: 'file' },
  { given: 'some/folder/file.tar.gz', path: 'some/folder/file.tar.gz' },
  { given: '-rf', path: '-rf' },
  { given: '..file', path: '..file' },
  { given: 'a/...', path: 'a/...' },
  { given: 'x'.repeat(1024), path: 'x'.repeat(1024) },
])
  test(`${given.slice(0, 30)} is a path below the root`, () => assert.equal(checkedPath(given), path))

for (const { given, rule } of [
  { given: '', rule: /must name a file/ },
  { given: '/', rule: /must name a file/ },
  { given: '//file', rule: /must name a file/ },
  { given: '.', rule: /must name a file/ },
  { given: '..', rule: /must name a file/ },
  { given: '/..', rule: /must name a file/ },
  { given: 'a/..', rule: /must name a file/ },
  { given: 'a/../../b', rule: /must name a file/ },
  { given: 'a/./b', rule: /must name a file/ },
  { given: 'a/', rule: /must name a file/ },
  { given: 'a\0b', rule: /NUL/ },
  { given: 'ü'.repeat(513), rule: /1024 bytes/ },
])
  test(`${JSON.stringify(given.slice(0, 30))} is refused`, () => {
    assert.throws(() => checkedPath(given), { code: 'SoftwarePackage.1131', message: rule })
  })

test('parts are distinct from those of other files and from every package', () => {
  assert.ok(newPartName('file').startsWith(partPrefix('file')))
  assert.notEqual(newPartName('file'), newPartName('file'))
  assert.notEqual(partPrefix('file'), partPrefix('file2'))
  for (const name of [newPartName('file'), newProbeName()]) assert.doesNotMatch(name, /^[/A-Za-z0-9_.-]+$/)
  assert.ok(newPartName('x'.repeat(255)).length < 64)
})

test('returns the folders of a file, nearest first', () => {
  assert.deepEqual(foldersOf('file'), [])
  assert.deepEqual(foldersOf('a/b/c/file'), ['a/b/c', 'a/b', 'a'])
})
