import assert from 'node:assert/strict'
import { test } from 'node:test'
import { changesOf, restorable } from './form-changes.ts'

test('only changed fields are changes', () => {
  assert.deepEqual(changesOf({ name: 'a', tags: ['x'] }, { name: '', tags: ['x'] }), { name: 'a' })
  assert.deepEqual(changesOf({ name: '', tags: ['y'] }, { name: '', tags: ['x'] }), { tags: ['y'] })
  assert.deepEqual(changesOf({ name: '' }, { name: '' }), {})
})

test('a stored draft fills the fields that the form has', () => {
  const initial = { name: '', port: '22', host: null as string | null }
  assert.deepEqual(restorable({ name: 'a', host: 'h', gone: 'x' }, initial), { name: 'a', host: 'h' })
})

test('a stored field of another type is ignored', () => {
  assert.deepEqual(restorable({ name: 5, tags: 'x' }, { name: '', tags: [] as string[] }), {})
  assert.deepEqual(restorable(undefined, { name: '' }), {})
})
