import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  emptyKeyForm,
  expiryState,
  invalidNetworks,
  isComplete,
  limitFields,
  operationChoices,
  rolesUpTo,
} from './key-form.ts'

const now = Date.parse('2026-11-05T12:00:00Z')
const dayMs = 86_400_000

test('a form without limits sends none', () => {
  assert.deepEqual(limitFields(emptyKeyForm, now), {})
})

test('each limit is a field of the call', () => {
  const form = {
    ...emptyKeyForm,
    description: 'deploy',
    expiry: '90',
    role: 'reader',
    scope: 'labels.team=web\n',
    operations: ['QueryHost', 'tags:*'],
    networks: ' 10.0.0.0/8, 192.0.2.7\nfd00::/8 ',
    requiresRfc9421: true,
    publicKey: '-----BEGIN PUBLIC KEY-----\n',
  } as const
  assert.deepEqual(limitFields(form, now), {
    description: 'deploy',
    expiresDate: '2027-02-03T12:00:00.000Z',
    role: 'reader',
    scope: ['labels.team=web'],
    operations: ['QueryHost', 'tags:*'],
    allowedCidrs: ['10.0.0.0/8', '192.0.2.7', 'fd00::/8'],
    schemes: ['rfc9421'],
    publicKey: '-----BEGIN PUBLIC KEY-----\n',
  })
  const dated = { ...emptyKeyForm, expiry: 'date', expiresDate: '2027-01-31' } as const
  assert.deepEqual(limitFields(dated, now), { expiresDate: '2027-01-31' })
})

test('a date without a value and a network that is none are incomplete', () => {
  assert.ok(isComplete(emptyKeyForm))
  assert.ok(!isComplete({ ...emptyKeyForm, expiry: 'date' }))
  const form = { ...emptyKeyForm, networks: '10.0.0.1/8, 10.0.0.0/8, x' }
  assert.deepEqual(invalidNetworks(form), ['10.0.0.1/8', 'x'])
  assert.ok(!isComplete(form))
})

test('the roles are at most that of the user', () => {
  assert.deepEqual(rolesUpTo('admin'), ['admin', 'operator', 'reader'])
  assert.deepEqual(rolesUpTo('operator'), ['operator', 'reader'])
  assert.deepEqual(rolesUpTo('reader'), ['reader'])
})

test('the operations are groups and names, without those that need no key', () => {
  assert.ok(operationChoices.includes('software-packages:*') && operationChoices.includes('QueryHost'))
  assert.ok(!operationChoices.includes('LogInByAccount'))
  assert.equal(new Set(operationChoices).size, operationChoices.length)
})

test('a key expires soon within fourteen days', () => {
  assert.equal(expiryState(undefined, now), undefined)
  assert.equal(expiryState(now + 14 * dayMs + 1, now), undefined)
  assert.equal(expiryState(now + 14 * dayMs, now), 'soon')
  assert.equal(expiryState(now, now), 'expired')
})
