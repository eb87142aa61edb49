import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Database } from '@wharf/database/database.ts'
import { Client, MovingClock, TestServer } from '@wharf/testkit'
import type { KyselyPlugin } from 'kysely'

const identityTables = /\b(accessKeys|sessions|users|accounts|usedNonces)\b/

/** The reads from now on, of identity tables unless others are named. */
function watchReads(database: Database, watched = identityTables): string[] {
  const seen: string[] = []
  const note = (query: string): void => void (watched.test(query) && seen.push(query))
  const { rows } = database
  const plugin: KyselyPlugin = {
    transformQuery: ({ node }) => {
      note(JSON.stringify(node))
      return node
    },
    transformResult: async ({ result }) => result,
  }
  const own = Object.getOwnPropertyDescriptor(database, 'read')?.get
  assert.ok(own)
  Object.defineProperties(database, {
    read: { get: () => own.call(database).withPlugin(plugin), configurable: true },
    rows: {
      value: (text: string, values: never) => {
        note(text)
        return rows(text, values)
      },
    },
  })
  return seen
}

const calls: { name: string; send: (client: Client) => ReturnType<Client['get']>; status: number }[] = [
  { name: 'that are served', send: (client) => client.get('/v1/tags'), status: 200 },
  { name: 'that are not allowed', send: (client) => client.delete(`/v1/users/${'f'.repeat(32)}`), status: 403 },
  { name: 'that are invalid', send: (client) => client.get('/v1/tags?limit=x'), status: 400 },
]

for (const { name, send, status } of calls) {
  test(`a hundred calls ${name} read no credential from the database`, async (t) => {
    // a stopped clock: after a pause of a second the server must read again
    const server = await TestServer.start(t, { clock: new MovingClock() })
    const bySession = await server.signIn('operator')
    const params = { accountUuid: bySession.accountUuid, userUuid: bySession.accountUuid }
    const key = (await server.admin.post('/v1/accesskeys', { params })).body.inventory as Record<string, string>
    const { AccessKeyID: id = '', AccessKeySecret: secret = '' } = key
    const byKey = new Client(server.url, { kind: 'key', id, secret })
    const byMessage = new Client(server.url, { kind: 'message', id, key: secret })
    const reads = watchReads(server.app.foundation.database)
    for (const [client, first] of [
      [bySession, 1],
      [byKey, 1],
      // the key is cached by now
      [byMessage, 0],
    ] as const) {
      assert.equal((await send(client)).status, status)
      assert.equal(reads.splice(0).length, first, 'the first call reads it, so the test sees reads')
      for (let n = 0; n < 100; n++) assert.equal((await send(client)).status, status)
      assert.deepEqual(reads, [])
    }
  })
}

test('a wrong signature costs no read either', async (t) => {
  const server = await TestServer.start(t, { clock: new MovingClock() })
  assert.equal((await server.admin.get('/v1/tags')).status, 200)
  const reads = watchReads(server.app.foundation.database)
  const authorization = `Service ${server.bootstrap.accessKeyId}:bm8gc3VjaCBzaWduYXR1cmU=`
  for (let n = 0; n < 5; n++) assert.equal((await server.admin.get('/v1/tags', { authorization })).status, 401)
  assert.deepEqual(reads, [])
})

test('the refusal of a known key costs one database read, like that of an unknown one', async (t) => {
  const server = await TestServer.start(t)
  const { accessKeyId } = server.bootstrap
  assert.equal((await server.admin.get('/v1/tags')).status, 200)
  const reads = watchReads(server.app.foundation.database, /accessKeys|"select 1"/)
  for (const id of [accessKeyId, 'there-is-no-such-key']) {
    reads.length = 0
    const client = new Client(server.url, { kind: 'key', id, secret: 'not the secret' })
    assert.equal((await client.get('/v1/tags')).status, 401)
    assert.equal(reads.length, 1, id)
  }
})
