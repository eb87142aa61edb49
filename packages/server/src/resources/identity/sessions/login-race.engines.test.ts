import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertFailure, TestServer } from '@wharf/testkit'
import { pauseNextHash } from '../testing/pause-next-hash.ts'

const changes: { name: string; change: (server: TestServer, uuid: string) => Promise<{ status: number }> }[] = [
  {
    name: 'a password that is changed while it is being checked opens no session',
    change: (server, uuid) =>
      server.admin.put(`/v1/accounts/${uuid}/actions`, { updateAccount: { password: 'a new password' } }),
  },
  {
    name: 'a user who is deleted while the password is being checked gets the usual refusal',
    change: (server, uuid) => server.admin.delete(`/v1/accounts/${uuid}`),
  },
]

for (const { name, change } of changes)
  test(name, async (t) => {
    const server = await TestServer.start(t)
    const { accountUuid } = await server.signIn('operator', 'alice')
    const { reached, resume } = pauseNextHash(t)
    const logInByAccount = { accountName: 'alice', password: 'password of alice' }
    const signingIn = server.anonymous.put('/v1/accounts/login', { logInByAccount })
    await reached
    assert.equal((await change(server, accountUuid)).status, 200)
    resume()
    assertFailure(await signingIn, { status: 401, code: 'ID.1000', details: 'wrong name or password' })
    const left = server.app.foundation.database.read.selectFrom('sessions').selectAll()
    assert.deepEqual(await left.where('accountUuid', '=', accountUuid).execute(), [])
  })
