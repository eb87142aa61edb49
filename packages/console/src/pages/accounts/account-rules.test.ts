import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  accountDeletionProblem,
  isBuiltIn,
  passwordChangeProblem,
  roleChangeProblem,
  userDeletionProblem,
} from './account-rules.ts'

const admin = { uuid: 'a', accountUuid: 'a', name: 'admin', role: 'admin' } as const
const other = { uuid: 'b', accountUuid: 'b', name: 'other', role: 'operator' } as const
const inside = { uuid: 'c', accountUuid: 'b', name: 'inside', role: 'admin' } as const
const asAdmin = { caller: admin, admins: 2 }
const asOther = { caller: other, admins: 2 }

test('the last admin keeps its role, its user and its account', () => {
  const context = { caller: admin, admins: 1 }
  assert.equal(roleChangeProblem(inside, 'reader', context), 'lastAdmin')
  assert.equal(roleChangeProblem(inside, 'admin', context), undefined)
  assert.equal(userDeletionProblem(inside, context), 'lastAdmin')
  assert.equal(accountDeletionProblem([other, inside], context), 'lastAdmin')
  assert.equal(accountDeletionProblem([other, inside], asAdmin), undefined)
})

test('a built-in user is deleted only with its account, and users cannot delete themselves', () => {
  assert.ok(isBuiltIn(admin))
  assert.equal(userDeletionProblem(other, asAdmin), 'isBuiltIn')
  assert.equal(userDeletionProblem(inside, { ...asAdmin, caller: inside }), 'yourself')
  assert.equal(accountDeletionProblem([admin], asAdmin), 'yourself')
  assert.equal(userDeletionProblem(inside, asAdmin), undefined)
})

test('an admin sets every password, others that of their own account', () => {
  assert.equal(passwordChangeProblem(inside, asAdmin), undefined)
  assert.equal(passwordChangeProblem(other, asOther), undefined)
  assert.equal(passwordChangeProblem(admin, asOther), 'onlyOwnAccount')
  assert.equal(
    passwordChangeProblem(inside, { ...asOther, caller: { ...inside, role: 'reader' } }),
    'onlyAdminForUsers',
  )
})

test('where it is not known who is signed in, the server decides', () => {
  const unknown = { caller: undefined, admins: undefined }
  assert.equal(passwordChangeProblem(inside, unknown), undefined)
  assert.equal(accountDeletionProblem([admin], unknown), undefined)
})
