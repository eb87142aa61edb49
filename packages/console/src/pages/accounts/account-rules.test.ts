import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  accountDeletionProblem,
  countFullAdmins,
  factorRemovalProblem,
  isBuiltIn,
  passwordChangeProblem,
  roleChangeProblem,
  scopeChangeProblem,
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

test('an admin with a scope does not count as an admin', () => {
  const limited = { ...inside, scope: ['labels.team=web'] }
  const context = { caller: admin, admins: countFullAdmins([admin, limited]) }
  assert.equal(context.admins, 1)
  assert.equal(userDeletionProblem(limited, context), undefined)
  assert.equal(roleChangeProblem(admin, 'reader', context), 'lastAdmin')
  assert.equal(scopeChangeProblem(admin, context), 'lastAdmin')
  assert.equal(scopeChangeProblem(limited, context), undefined)
})

test('a user of an identity provider has no password, and the provider sets its role', () => {
  const theirs = { ...inside, source: 'OIDC' } as const
  const context = { caller: admin, admins: countFullAdmins([admin, theirs]) }
  assert.equal(context.admins, 1)
  assert.equal(passwordChangeProblem(theirs, context), 'providersUser')
  assert.equal(roleChangeProblem(theirs, 'reader', context), 'providersUser')
  assert.equal(userDeletionProblem(theirs, context), undefined)
})

test('a built-in user is deleted only with its account, and users cannot delete themselves', () => {
  assert.ok(isBuiltIn(admin))
  assert.equal(userDeletionProblem(other, asAdmin), 'isBuiltIn')
  assert.equal(userDeletionProblem(inside, { ...asAdmin, caller: inside }), 'yourself')
  assert.equal(accountDeletionProblem([admin], asAdmin), 'yourself')
  assert.equal(userDeletionProblem(inside, asAdmin), undefined)
})

test('an admin removes the factors of others, where there are some', () => {
  assert.equal(factorRemovalProblem(inside, asAdmin), 'noFactor')
  assert.equal(factorRemovalProblem({ ...inside, hasSecondFactor: true }, asAdmin), undefined)
  assert.equal(factorRemovalProblem({ ...admin, hasSecondFactor: true }, asAdmin), 'ownFactors')
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

test('an account with some of the admins can be deleted, one with all of them cannot', () => {
  const twoInside = [inside, { ...inside, uuid: 'd' }]
  assert.equal(accountDeletionProblem(twoInside, { caller: other, admins: 3 }), undefined)
  assert.equal(accountDeletionProblem(twoInside, { caller: undefined, admins: 2 }), 'lastAdmin')
  assert.equal(accountDeletionProblem([other], { caller: admin, admins: 1 }), undefined)
})

test('another role than admin can change while only one admin is left', () => {
  const context = { caller: admin, admins: 1 }
  assert.equal(roleChangeProblem(other, 'reader', context), undefined)
  assert.equal(userDeletionProblem({ ...other, uuid: 'x' }, context), undefined)
})

test('the built-in user is recognised by its uuid alone', () => {
  assert.ok(!isBuiltIn(inside))
  assert.ok(isBuiltIn({ ...inside, uuid: 'b' }))
  assert.equal(userDeletionProblem({ ...inside, uuid: 'b' }, { caller: admin, admins: 1 }), 'isBuiltIn')
})

for (const role of ['reader', 'operator'] as const)
  test(`a ${role} changes only the password of the own account`, () => {
    const caller = { ...other, role }
    assert.equal(passwordChangeProblem(caller, { caller, admins: 2 }), undefined)
    assert.equal(passwordChangeProblem(admin, { caller, admins: 2 }), 'onlyOwnAccount')
    assert.equal(passwordChangeProblem(inside, { caller, admins: 2 }), 'onlyAdminForUsers')
  })
