import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isSearchable, recordEntry, recordKinds, recordQuery } from './record-kinds.ts'

const kind = (name: string) => {
  const found = recordKinds.find((one) => one.kind === name)
  assert.ok(found)
  return found
}

test('a single letter is not searched, a Chinese character is', () => {
  for (const text of ['we', '网', ' 网 ']) assert.ok(isSearchable(text), text)
  for (const text of ['', ' ', 'w', ' w ']) assert.ok(!isSearchable(text), text)
})

test('records are searched by name, with the wildcards of the text escaped', () => {
  assert.deepEqual(recordQuery(kind('package'), ' my_app '), { q: ['name~=%my\\_app%'], sort: '+name', limit: 5 })
})

test('every word is a condition', () => {
  assert.deepEqual(recordQuery(kind('job'), 'install web').q, ['summary~=%install%', 'summary~=%web%'])
})

test('a host is searched by its address, and every record by its uuid', () => {
  assert.deepEqual(recordQuery(kind('host'), '10.0.0').q, ['address~=%10.0.0%'])
  assert.deepEqual(recordQuery(kind('host'), 'web-1').q, ['name~=%web-1%'])
  const uuid = '0123456789abcdef0123456789abcdef'
  assert.deepEqual(recordQuery(kind('cluster'), uuid).q, [`uuid=${uuid}`])
})

test('a job is searched by what it does, the newest first, and has its title', () => {
  assert.deepEqual(recordQuery(kind('job'), 'web-1'), { q: ['summary~=%web-1%'], sort: '-createDate', limit: 5 })
  const job = {
    uuid: 'j1',
    operation: 'AddHost',
    subjectName: 'web-1',
    summary: 'Add host web-1 admin',
    userName: 'admin',
  }
  const { label, detail, target } = recordEntry(kind('job'), job)
  assert.deepEqual([label, detail, target], ['Add host web-1', 'admin', '#/jobs/j1'])
})

test('an entry opens the page of its record; a user is on the page of the account', () => {
  assert.deepEqual(recordEntry(kind('host'), { uuid: 'h1', name: 'web-1', address: '10.0.0.7' }), {
    id: 'host h1',
    kind: 'host',
    label: 'web-1',
    detail: '10.0.0.7',
    words: 'h1 web-1',
    target: '#/hosts/h1',
  })
  const user = recordEntry(kind('user'), { uuid: 'u1', name: 'anna', accountUuid: 'a1', role: 'reader' })
  assert.deepEqual([user.target, user.detail], ['#/accounts/a1', 'reader'])
})

test('a record without a page opens the list that shows only it', () => {
  const { label, target } = recordEntry(kind('key'), { uuid: 'k1', AccessKeyID: 'AKIA1' })
  assert.deepEqual([label, target], ['AKIA1', '#/access-keys?q=AccessKeyID%3DAKIA1'])
  const window = recordEntry(kind('window'), { uuid: 'w1', name: 'nights', cron: '0 22 * * *' })
  assert.deepEqual([window.label, window.target], ['nights', '#/rollouts/windows?q=uuid%3Dw1'])
})

test('a release has its version in the label, the newest is first', () => {
  const release = { uuid: 'r1', name: 'hello', version: '1.1.0', type: 'demo' }
  const { label, target } = recordEntry(kind('release'), release)
  assert.deepEqual([label, target], ['hello 1.1.0', '#/releases/r1'])
  assert.equal(recordQuery(kind('release'), 'hello').sort, '-createDate')
})
