import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readHostList } from '@wharf/sdk'
import { inputOf, newDefaults, problemOf } from './import-form.ts'

test('a line has its own fields, and the defaults for what it does not name', () => {
  const [first, second] = readHostList('name,address,user,labels\nweb-1,10.0.0.1,ops,zone=a\nweb-2,10.0.0.2,,\n')
  assert.ok(first && second)
  assert.deepEqual(inputOf(first, newDefaults), {
    driver: 'ssh',
    name: 'web-1',
    address: '10.0.0.1',
    username: 'ops',
    labels: { zone: 'a' },
  })
  const given = inputOf(second, { username: ' deploy ', privateKey: ' -----BEGIN x ' })
  assert.equal(given.username, 'deploy')
  assert.equal(given.privateKey, '-----BEGIN x\n')
})

test('a user is needed, and a key must be one', () => {
  assert.equal(problemOf(newDefaults), undefined)
  assert.equal(problemOf({ ...newDefaults, username: ' ' }), 'noUser')
  assert.equal(problemOf({ ...newDefaults, privateKey: 'x' }), 'badKey')
})
