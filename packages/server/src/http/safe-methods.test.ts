import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { isOptional, operations } from '@wharf/contract'
import type { RowsOf } from '@wharf/database/snapshot.ts'
import { tablesInOrder } from '@wharf/database/table-order.ts'
import { TestServer } from '@wharf/testkit'
import type { TSchema } from 'typebox'

const server = await TestServer.start({ after })
const { bootstrap, admin } = server
const { database, audit } = server.app.foundation
const made = await admin.post('/v1/tags', { params: { name: 'a tag', userTags: ['one'] } })

/** Records that a GET could change. */
const uuids: Record<string, string> = {
  '/v1/accounts': bootstrap.accountUuid,
  '/v1/users': bootstrap.userUuid,
  '/v1/tags': (made.body.inventory as { uuid: string }).uuid,
  '/v1/hosts': bootstrap.hostUuid,
  '/v1/backup-storage': bootstrap.backupStorageUuid,
  '/v1/management-nodes': bootstrap.managementNodeUuid,
}
const values: Record<string, string> = { managementNodeUuid: bootstrap.managementNodeUuid, directoryPath: '/' }
const reads = operations.filter(({ method }) => method === 'GET')

/** A node writes its heartbeat and chains audit entries. The last use of a session is written too, so this test uses a key. */
const ownMatters = new Set(['managementNodes', 'auditChain', 'auditDigests', 'pendingAuditEntries'])
/** Measured or chained periodically, independent of calls. */
const ownColumns = new Set(['totalCapacity', 'availableCapacity', 'seq', 'hash'])

const rowsOf: RowsOf = async function* (statement) {
  yield* (await database.rows(statement, [])).objects()
}
const tables = (await tablesInOrder(database.engine, rowsOf)).filter(({ name }) => !ownMatters.has(name))

const withoutOwn = (row: unknown): object =>
  Object.fromEntries(Object.entries(row as object).filter(([column]) => !ownColumns.has(column)))

/** Every row of every other table. */
async function state(): Promise<Map<string, unknown>> {
  await audit.chainNow()
  const rows = new Map<string, unknown>()
  for (const { name } of tables) {
    const found = await database.rows(`select * from "${name}" order by 1, 2`, [])
    rows.set(name, found.objects().map(withoutOwn))
  }
  return rows
}

function targetOf({ path, fields }: (typeof operations)[number]): string {
  const uuid = uuids[path.split('/{')[0] ?? ''] ?? 'f'.repeat(32)
  const needed = Object.entries(fields as Record<string, TSchema>)
    .filter(([name, schema]) => !isOptional(schema) && !path.includes(`{${name}}`))
    .map(([name]) => `${name}=${values[name] ?? assert.fail(`what is ${name} of ${path}?`)}`)
  return `${path.replaceAll(/\{\w+\}/g, uuid)}${needed.length === 0 ? '' : `?${needed.join('&')}`}`
}

test('every GET leaves every row unchanged', async () => {
  const before = await state()
  assert.ok(before.size > 15)
  const pages = ['/healthz', '/readyz', '/metrics', '/openapi.json', '/docs']
  let found = 0
  for (const target of [...reads.map(targetOf), ...pages]) {
    const answer = await admin.fetch('GET', target)
    // a stream does not end
    await answer.body?.cancel()
    assert.ok([200, 404].includes(answer.status), `${target}: ${answer.status}`)
    if (answer.status === 200) found++
    assert.deepEqual(await state(), before, target)
  }
  assert.ok(found > 30, `${found} found something`)
})
