import assert from 'node:assert/strict'
import { test } from 'node:test'
import { change, creation, type EndpointForm, isComplete } from './endpoint-form.ts'

const form: EndpointForm = {
  type: 'DingTalk',
  name: ' Operations ',
  description: '',
  url: 'https://chat.example/robot?token=x',
  secret: 'SEC',
  forgetsSecret: false,
  language: 'zh',
  atAll: false,
  platformUuids: [],
  isEnabled: true,
}

test('a new endpoint needs a name and an address, one that exists keeps its own', () => {
  assert.ok(isComplete(form, true))
  assert.ok(!isComplete({ ...form, url: '' }, true))
  assert.ok(isComplete({ ...form, url: '' }, false))
  assert.ok(!isComplete({ ...form, url: 'ftp://chat.example' }, false))
  assert.ok(!isComplete({ ...form, name: ' ' }, true))
})

test('what was left empty is not sent, so the server keeps it', () => {
  const { url, secret } = change({ ...form, url: '', secret: '' })
  assert.deepEqual({ url, secret }, { url: undefined, secret: undefined })
})

test('what is to be emptied is named', () => {
  assert.deepEqual(change(form).clear, ['description'])
  const forgetful = change({ ...form, description: 'd', forgetsSecret: true })
  assert.deepEqual([forgetful.clear, forgetful.secret], [['secret'], undefined])
  assert.deepEqual(change({ ...form, type: 'Slack', description: 'd', forgetsSecret: true }).clear, [])
})

test('a secret goes to the applications that sign alone', () => {
  assert.equal(creation(form).secret, 'SEC')
  assert.equal(creation({ ...form, type: 'Slack' }).secret, undefined)
  assert.equal(creation(form).name, 'Operations')
})
