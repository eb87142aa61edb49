import assert from 'node:assert/strict'
import { test } from 'node:test'
import { changeRows } from './change-rows.ts'

test('a change has a row for each field, with its values as text', () => {
  const changes = {
    name: { before: null, after: 'web-1' },
    sshPort: { before: 22, after: 2222 },
    labels: { before: { zone: 'a' }, after: {} },
    description: { before: '', after: null },
  }
  assert.deepEqual(changeRows(changes), [
    { field: 'name', before: undefined, after: 'web-1' },
    { field: 'sshPort', before: '22', after: '2222' },
    { field: 'labels', before: '{"zone":"a"}', after: '{}' },
    { field: 'description', before: '""', after: undefined },
  ])
  assert.deepEqual(changeRows(undefined), [])
})
