import assert from 'node:assert/strict'
import crypto from 'node:crypto'
import { syncBuiltinESMExports } from 'node:module'
import { type TestContext, test } from 'node:test'
import { assertFailure, TestServer } from '@wharf/testkit'

/** The next hash is not worked out before `letGo`; `asked` ends when it is its turn. */
function holdNextHash(t: TestContext): { asked: Promise<void>; letGo: () => void } {
  const asked = Promise.withResolvers<void>()
  const going = Promise.withResolvers<void>()
  const { scrypt } = crypto
  let isFirst = true
  t.mock.method(crypto, 'scrypt', (...given: Parameters<typeof scrypt>) => {
    const wait = isFirst ? going.promise : Promise.resolve()
    isFirst = false
    asked.resolve()
    void wait.then(() => scrypt(...given))
  })
  syncBuiltinESMExports()
  t.after(() => {
    t.mock.restoreAll()
    syncBuiltinESMExports()
  })
  return { asked: asked.promise, letGo: () => going.resolve() }
}

const changes: { name: string; change: (server: TestServer, uuid: string) => Promise<{ status: number }> }[] = [
  {
    name: 'a password that is changed while it is being checked opens no session',
    change: (server, uuid) =>
      server.admin.put(`/v1/accounts/${uuid}/actions`, { updateAccount: { password: 'a new one' } }),
  },
  {
    name: 'a user who is deleted while the password is being checked is told nothing of it',
    change: (server, uuid) => server.admin.delete(`/v1/accounts/${uuid}`),
  },
]

for (const { name, change } of changes)
  test(name, async (t) => {
    const server = await TestServer.start(t)
    const { accountUuid } = await server.signIn('operator', 'alice')
    const { asked, letGo } = holdNextHash(t)
    const logInByAccount = { accountName: 'alice', password: 'password of alice' }
    const signingIn = server.anonymous.put('/v1/accounts/login', { logInByAccount })
    await asked
    assert.equal((await change(server, accountUuid)).status, 200)
    letGo()
    assertFailure(await signingIn, { status: 401, code: 'ID.1000', details: 'wrong name or password' })
    const left = server.app.foundation.database.read.selectFrom('sessions').selectAll()
    assert.deepEqual(await left.where('accountUuid', '=', accountUuid).execute(), [])
  })
