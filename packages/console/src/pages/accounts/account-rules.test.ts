import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isBuiltIn, keepsAccount, keepsPassword, keepsRole, keepsUser } from './account-rules.ts'

const admin = { uuid: 'a', accountUuid: 'a', name: 'admin', role: 'admin' } as const
const other = { uuid: 'b', accountUuid: 'b', name: 'other', role: 'operator' } as const
const inside = { uuid: 'c', accountUuid: 'b', name: 'inside', role: 'admin' } as const
const asAdmin = { caller: admin, admins: 2 }
const asOther = { caller: other, admins: 2 }

test('the last admin keeps its role, its user and its account', () => {
  const standing = { caller: admin, admins: 1 }
  assert.equal(keepsRole(inside, 'reader', standing), 'lastAdmin')
  assert.equal(keepsRole(inside, 'admin', standing), undefined)
  assert.equal(keepsUser(inside, standing), 'lastAdmin')
  assert.equal(keepsAccount([other, inside], standing), 'lastAdmin')
  assert.equal(keepsAccount([other, inside], asAdmin), undefined)
})

test('a built-in user goes with its account alone, and nobody deletes what they are signed in with', () => {
  assert.ok(isBuiltIn(admin))
  assert.equal(keepsUser(other, asAdmin), 'isBuiltIn')
  assert.equal(keepsUser(inside, { ...asAdmin, caller: inside }), 'yourself')
  assert.equal(keepsAccount([admin], asAdmin), 'yourself')
  assert.equal(keepsUser(inside, asAdmin), undefined)
})

test('an admin sets every password, others that of their own account', () => {
  assert.equal(keepsPassword(inside, asAdmin), undefined)
  assert.equal(keepsPassword(other, asOther), undefined)
  assert.equal(keepsPassword(admin, asOther), 'onlyOwnAccount')
  assert.equal(keepsPassword(inside, { ...asOther, caller: { ...inside, role: 'reader' } }), 'onlyAdminForUsers')
})

test('where it is not known who is signed in, the server decides', () => {
  const unknown = { caller: undefined, admins: undefined }
  assert.equal(keepsPassword(inside, unknown), undefined)
  assert.equal(keepsAccount([admin], unknown), undefined)
})
