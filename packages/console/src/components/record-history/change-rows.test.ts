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

test('a list has a line for each value, and JSON within a text is not escaped', () => {
  const config = JSON.stringify({ greeting: 'ahoy', path: '/srv' })
  const systemTags = ['createdBy::wharf', `installConfig::${JSON.stringify({ config })}`]
  const after = (value: unknown) => changeRows({ field: { before: null, after: value } })[0]?.after
  assert.equal(after(systemTags), 'createdBy::wharf,\ninstallConfig::{"config":{"greeting":"ahoy","path":"/srv"}}')
  assert.equal(after(config), config)
  assert.equal(after({ config }), `{"config":${config}}`)
  assert.equal(after(['blue', null]), 'blue,\nnull')
  assert.equal(after([]), '[]')
  // a value that was formatted again could differ from the recorded one
  const formatted = JSON.stringify({ greeting: 'ahoy' }, null, 2)
  for (const text of ['{"id":12345678901234567890}', '{"ratio":1.0}', '{"a":1,"a":2}', formatted]) {
    assert.equal(after(text), text)
    assert.equal(after([`config::${text}`]), `config::${text}`)
    assert.equal(after({ text }), JSON.stringify({ text }))
  }
  // a value that was cut is no longer JSON
  for (const text of ['uploadConfig::{"name":"hel', '[draft] notes', '{']) assert.equal(after(text), text)
})
