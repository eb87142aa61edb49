import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Example, examples } from './examples.ts'
import { messages } from './messages.ts'
import { serverTexts } from './server-texts.ts'

const names = Object.keys(examples) as Example[]

test('every example has a label in both languages', () => {
  for (const name of names) assert.ok(messages.en[name] && messages.zh[name], name)
})

test('every example has a severity that the server writes in both languages', () => {
  for (const name of names)
    for (const texts of Object.values(serverTexts)) assert.ok(texts.severities[examples[name].severity], name)
})

test('only the test message needs no template', () => {
  assert.deepEqual(
    names.filter((name) => examples[name].alert === undefined),
    ['test'],
  )
})

test('a firing alert has the zero end time of Alertmanager, a resolved one does not', () => {
  for (const name of names) {
    const { alert, severity } = examples[name]
    if (alert === undefined) continue
    assert.equal(alert.status, severity === 'resolved' ? 'resolved' : 'firing', name)
    assert.equal(alert.endsAt, severity === 'resolved' ? undefined : '0001-01-01T00:00:00Z', name)
  }
})

test('the label of a warning overrides the severity of the example of the server', () => {
  assert.deepEqual(examples.warning.alert?.labels, {
    alertname: 'EtcdMemberDown',
    instance: '10.0.0.2:2379',
    job: 'etcd',
    severity: 'warning',
  })
})
