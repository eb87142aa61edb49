import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertFailure, TestServer, testEngine } from '@wharf/testkit'

/** SQLite has one connection to write by, and no pool. */
const onPostgres = testEngine === 'postgres' ? test : () => {}

onPostgres(
  'while every connection is in use a call waits, is then 503 with Retry-After, and does nothing',
  async (t) => {
    const server = await TestServer.start(t)
    const { admin } = server
    const { database } = server.app.foundation
    const key = { 'idempotency-key': 'while-all-are-in-use' }
    const newTag = () => admin.post('/v1/tags', { params: { name: 'late' } }, key)
    const tags = async () => (await admin.get('/v1/tags?count=true')).body.total
    assert.equal(await tags(), 0)

    const release = await holdEveryConnection(database)
    try {
      const calls = await Promise.all([newTag(), admin.get('/v1/tags'), server.anonymous.get('/readyz')])
      for (const answer of calls) {
        assertFailure(answer, { status: 503, code: 'SYS.1010' })
        assert.ok(Number(answer.headers.get('retry-after')) > 0)
      }
      assert.equal((await server.anonymous.get('/healthz')).status, 200)
    } finally {
      await release()
    }

    assert.equal(await tags(), 0)
    assert.equal((await newTag()).status, 200, 'the same call goes through once there is room')
    assert.equal(await tags(), 1)
  },
)

type PooledDatabase = TestServer['app']['foundation']['database']

/** Each by a transaction, for as long as PostgreSQL lets one idle: 10 s, of which a call waits 5. */
async function holdEveryConnection(database: PooledDatabase): Promise<() => Promise<void>> {
  const { limit } = database.connections?.() ?? assert.fail('there is no pool')
  const allHeld = Promise.withResolvers<void>()
  const released = Promise.withResolvers<void>()
  let held = 0
  const holding = Array.from({ length: limit }, () =>
    database.transaction(async (tx) => {
      await tx.selectFrom('settings').selectAll().execute()
      if (++held === limit) allHeld.resolve()
      await released.promise
    }),
  )
  await Promise.race([allHeld.promise, Promise.all(holding)])
  return async () => {
    released.resolve()
    await Promise.all(holding)
  }
}
