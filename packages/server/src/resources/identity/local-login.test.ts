import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { OpenedDatabase } from '@wharf/database/sqlite.ts'
import { assertFailure, oidcFile, reverseCleanup, TestServer } from '@wharf/testkit'

import { resetPassword } from '../../program/reset-password.ts'

const cleanup = reverseCleanup({ after })
const rules = [{ claim: 'groups', value: 'ops', role: 'operator', account: 'admin' }]
const file = oidcFile(cleanup, [{ id: 'corp', issuer: 'https://id.example.com', rules }])
const [forAdmins, forNobody] = [
  await TestServer.start(cleanup, { environment: { WHARF_LOCAL_LOGIN: 'admins' } }),
  await TestServer.start(cleanup, { environment: { WHARF_LOCAL_LOGIN: 'none', WHARF_OIDC_FILE: file } }),
]
const password = 'a long password'
for (const { admin } of [forAdmins, forNobody])
  await admin.post('/v1/accounts', { params: { name: 'olga', password, role: 'operator' } })

const logIn = ({ anonymous }: TestServer, accountName: string, given: string) =>
  anonymous.put('/v1/accounts/login', { logInByAccount: { accountName, password: given } })

test('only admins sign in with a password when WHARF_LOCAL_LOGIN is admins', async () => {
  assert.equal((await logIn(forAdmins, 'admin', forAdmins.bootstrap.password)).status, 200)
  assertFailure(await logIn(forAdmins, 'olga', password), {
    status: 403,
    code: 'ID.1002',
    details: 'olga may not sign in with a password: WHARF_LOCAL_LOGIN=admins allows it to only admins',
  })
})

test('nobody signs in with a password when WHARF_LOCAL_LOGIN is none; access keys work', async () => {
  assertFailure(await logIn(forNobody, 'admin', forNobody.bootstrap.password), {
    status: 403,
    code: 'ID.1002',
    details: 'WHARF_LOCAL_LOGIN=none allows it to nobody; sign in with an identity provider',
  })
  assert.equal((await forNobody.admin.get('/v1/tags')).status, 200)
})

test('a wrong password gets the usual refusal, so that nobody learns who could sign in', async () => {
  for (const [server, name] of [
    [forAdmins, 'olga'],
    [forNobody, 'admin'],
    [forNobody, 'unknown'],
  ] as const)
    assertFailure(await logIn(server, name, 'a wrong password'), { status: 401, code: 'ID.1000' })
})

test('wharf-server reset-password restores the access of one account, until its password is changed again', async () => {
  const foundation = forNobody.app.foundation as typeof forNobody.app.foundation & { database: OpenedDatabase }
  const { password: restored } = await resetPassword(foundation, { name: 'olga', removesFactors: false })
  const answer = await logIn(forNobody, 'olga', restored)
  assert.equal(answer.status, 200, answer.text)
  assertFailure(await logIn(forNobody, 'admin', forNobody.bootstrap.password), { status: 403, code: 'ID.1002' })
  const session = (answer.body.inventory as { uuid: string }).uuid
  const changeOwnPassword = { oldPassword: restored, password }
  const changed = await forNobody.anonymous.put(
    '/v1/caller-identity/actions',
    { changeOwnPassword },
    { authorization: `OAuth ${session}` },
  )
  assert.equal(changed.status, 200, changed.text)
  assertFailure(await logIn(forNobody, 'olga', password), { status: 403, code: 'ID.1002' })
})
