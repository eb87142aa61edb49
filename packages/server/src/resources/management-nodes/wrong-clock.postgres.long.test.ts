import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { assertFailure, nodeEnvironments, reverseCleanup, ServerProcess, testEngine } from '@wharf/testkit'

const dayMs = 25 * 3_600_000

/** Loaded before the program: its time of day is so far off. */
const shifted = (ms: number): Record<string, string> => {
  const script = `const Real = Date
    globalThis.Date = class Date extends Real {
      constructor(...given) { given.length > 0 ? super(...given) : super(Real.now() + ${ms}) }
      static now() { return Real.now() + ${ms} }
    }`
  return { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(script)}` }
}

/** Two nodes as processes on one PostgreSQL, which alone can be shared. */
if (testEngine === 'postgres')
  for (const [name, ms, found] of [
    ['a day ahead', dayMs, /the clock of this node is 90000 s ahead of the database's/],
    ['a day behind', -dayMs, /the clock of this node is 90000 s behind the database's/],
  ] as const)
    test(`a node ${name} reports it, is not ready, and does no harm`, async (t) => {
      const cleanup = reverseCleanup(t)
      const [one = {}, two = {}] = await nodeEnvironments(cleanup, 2)
      const healthy = new ServerProcess(one)
      const wrong = new ServerProcess({ ...two, ...shifted(ms) })
      for (const server of [healthy, wrong]) {
        await server.start()
        cleanup.after(() => server.kill())
      }
      assertFailure(await wrong.anonymous.get('/readyz'), { status: 503, code: 'SYS.1010', details: found })
      assert.deepEqual((await healthy.anonymous.get('/readyz')).body, { status: 'ready' })

      const key = { 'idempotency-key': randomUUID() }
      const params = { name: randomUUID() }
      const created = await wrong.adminOf(healthy).post('/v1/tags', { params }, key)
      assert.equal(created.status, 200, created.text)
      assert.deepEqual((await healthy.admin.post('/v1/tags', { params }, key)).body, created.body)
      const { createDate } = created.body.inventory as { createDate: string }
      assert.ok(Math.abs(Date.parse(`${createDate} UTC`) - Date.now()) < 60_000, createDate)

      const { password } = healthy.bootstrap
      const login = { logInByAccount: { accountName: 'admin', password } }
      const { inventory } = (await wrong.anonymous.put('/v1/accounts/login', login)).body
      const authorization = `OAuth ${(inventory as { uuid: string }).uuid}`
      for (const { bootstrap } of [healthy, wrong])
        assert.equal((await fetch(`${bootstrap.url}/v1/tags`, { headers: { authorization } })).status, 200)
      assert.match(wrong.stderr, found)
      assert.doesNotMatch(healthy.stderr, /the clock of this node/)
    })
