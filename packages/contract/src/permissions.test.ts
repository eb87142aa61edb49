import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Role, roles } from './accounts.ts'
import type { Permission } from './operation.ts'
import { operations } from './operations.ts'
import { mayCall, ownsJob } from './permissions.ts'

const rows: Record<Role, readonly Permission[]> = {
  reader: ['public', 'own', 'read'],
  operator: ['public', 'own', 'read', 'operate'],
  admin: ['public', 'own', 'read', 'operate', 'administer'],
}

const all: readonly Permission[] = ['public', 'own', 'read', 'operate', 'administer']

for (const role of roles)
  test(`a ${role} may call operations with ${rows[role].join(', ')}`, () => {
    for (const permission of all) assert.equal(mayCall(role, { permission }), rows[role].includes(permission))
  })

test('an admin may call every operation of the contract', () => {
  assert.deepEqual(
    operations.filter((operation) => !mayCall('admin', operation)),
    [],
  )
})

test('a job belongs to the user who started it, and to every admin', () => {
  const job = { userUuid: 'anna' }
  assert.ok(ownsJob({ userUuid: 'anna', role: 'operator' }, job))
  assert.ok(ownsJob({ userUuid: 'root', role: 'admin' }, job))
  assert.ok(!ownsJob({ userUuid: 'otto', role: 'operator' }, job))
})

test('a reader may call no operation that changes a shared resource', () => {
  const allowed = operations.filter((operation) => mayCall('reader', operation) && operation.method !== 'GET')
  for (const { name, permission } of allowed) assert.ok(permission !== 'operate' && permission !== 'administer', name)
  assert.ok(!allowed.some(({ name }) => name === 'DeleteHost'))
})
