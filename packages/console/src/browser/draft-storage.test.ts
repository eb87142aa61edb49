import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import { readDraft, removeDraft, writeDraft } from './draft-storage.ts'
import { defineGlobal, MemoryStorage } from './testing/fake-browser.ts'

let storage = new MemoryStorage()
beforeEach(() => {
  storage = new MemoryStorage()
  defineGlobal('sessionStorage', storage)
})

test('a draft is read as it was written, until it is removed', () => {
  writeDraft('host', { name: 'web-1', port: '22' })
  assert.deepEqual(readDraft('host'), { name: 'web-1', port: '22' })
  assert.equal(readDraft('storage'), undefined)
  removeDraft('host')
  assert.equal(readDraft('host'), undefined)
})

for (const name of ['password', 'oldPassword', 'privateKey', 'secretAccessKey', 'adminToken', 'secret', 'apiKey'])
  test(`${name} is never stored, at any depth`, () => {
    writeDraft('form', { [name]: 'hunter2', inner: { [name]: 'hunter2', list: [{ [name]: 'hunter2', kept: 1 }] } })
    assert.deepEqual(readDraft('form'), { inner: { list: [{ kept: 1 }] } })
    assert.doesNotMatch(storage.getItem('wharf.draft.form') ?? '', /hunter2/)
  })

test('further fields can be declared secret', () => {
  writeDraft('endpoint', { name: 'ops', url: 'https://chat.example/robot?access=abc' }, ['url'])
  assert.deepEqual(readDraft('endpoint'), { name: 'ops' })
})

for (const text of ['{not json', '[]', '"text"', 'null'])
  test(`${text} in the storage is not a draft`, () => {
    storage.setItem('wharf.draft.form', text)
    assert.equal(readDraft('form'), undefined)
  })

test('a full storage is not an error', () => {
  storage.setItem = () => {
    throw new DOMException('full', 'QuotaExceededError')
  }
  assert.doesNotThrow(() => writeDraft('form', { name: 'a' }))
  assert.equal(readDraft('form'), undefined)
})
