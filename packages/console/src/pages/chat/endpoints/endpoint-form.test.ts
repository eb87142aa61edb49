import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createInput, type EndpointForm, isAddress, isComplete, updateInput } from './endpoint-form.ts'

const form: EndpointForm = {
  type: 'DingTalk',
  name: ' Operations ',
  description: '',
  url: 'https://chat.example/robot?token=x',
  secret: 'SEC',
  clearsSecret: false,
  language: 'zh',
  atAll: false,
  platformUuids: [],
  ownEvents: ['JobFailed'],
  ownEventTemplate: '{{ event.name }}',
  isEnabled: true,
}

test('a new endpoint needs a name and a URL; an existing one keeps its URL', () => {
  assert.ok(isComplete(form, true))
  assert.ok(!isComplete({ ...form, url: '' }, true))
  assert.ok(isComplete({ ...form, url: '' }, false))
  assert.ok(!isComplete({ ...form, url: 'ftp://chat.example' }, false))
  assert.ok(!isComplete({ ...form, name: ' ' }, true))
})

test('empty fields are not sent, so the server keeps their values', () => {
  const { url, secret } = updateInput({ ...form, url: '', secret: '' })
  assert.deepEqual({ url, secret }, { url: undefined, secret: undefined })
})

test('a field to empty is named', () => {
  assert.deepEqual(updateInput(form).clear, ['description'])
  const forgetful = updateInput({ ...form, description: 'd', clearsSecret: true })
  assert.deepEqual([forgetful.clear, forgetful.secret], [['secret'], undefined])
  assert.deepEqual(updateInput({ ...form, type: 'Slack', description: 'd', clearsSecret: true }).clear, [])
})

test('a secret is sent only to applications that support signing', () => {
  assert.equal(createInput(form).secret, 'SEC')
  assert.equal(createInput({ ...form, type: 'Slack' }).secret, undefined)
  assert.equal(createInput(form).name, 'Operations')
})

test('a new endpoint is sent with its URL and secret', () => {
  assert.deepEqual(createInput({ ...form, description: 'd', platformUuids: ['a'] }), {
    type: 'DingTalk',
    url: 'https://chat.example/robot?token=x',
    name: 'Operations',
    description: 'd',
    language: 'zh',
    atAll: false,
    platformUuids: ['a'],
    ownEvents: ['JobFailed'],
    ownEventTemplate: '{{ event.name }}',
    secret: 'SEC',
  })
})

test('disabling an endpoint is a state event', () => {
  assert.equal(updateInput({ ...form, isEnabled: false }).stateEvent, 'disable')
  assert.equal(updateInput(form).stateEvent, 'enable')
})

test('an emptied description is cleared', () => {
  assert.deepEqual(updateInput({ ...form, description: ' ' }).clear, ['description'])
  assert.deepEqual(updateInput({ ...form, description: 'd' }).clear, [])
})

test('an emptied template is cleared, and not sent', () => {
  const input = updateInput({ ...form, description: 'd', ownEventTemplate: ' ', ownEvents: [] })
  assert.deepEqual([input.clear, input.ownEvents, 'ownEventTemplate' in input], [['ownEventTemplate'], [], false])
})

test('a removed secret is cleared, and the typed one is not sent', () => {
  const input = updateInput({ ...form, description: 'd', clearsSecret: true })
  assert.deepEqual(input.clear, ['secret'])
  assert.ok(!('secret' in input))
})

test('an application without signing has no secret to clear', () => {
  assert.deepEqual(updateInput({ ...form, type: 'Slack', description: 'd', clearsSecret: true }).clear, [])
})

for (const url of ['https://x.example', ' http://x.example/a ', 'HTTPS://X'])
  test(`"${url}" is a webhook URL`, () => assert.ok(isAddress(url)))
for (const url of ['', 'x.example', 'https://', 'https:// x', 'ftp://x', 'javascript:alert(1)'])
  test(`"${url}" is not a webhook URL`, () => assert.ok(!isAddress(url)))
