import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testDatabase } from '@wharf/testkit'
import { hashedText } from './audit-record.ts'
import { PendingStore } from './pending-store.ts'

const entry = {
  uuid: 'a'.repeat(32),
  startDate: 1,
  endDate: 2,
  requestId: 'r',
  managementNodeUuid: 'n',
  operation: 'CreateTag',
  method: 'POST',
  path: '/v1/tags',
  actorKind: 'Session',
  accountUuid: 'b'.repeat(32),
  userUuid: 'c'.repeat(32),
  actorName: 'admin',
  role: 'admin',
  credentialUuid: null,
  sourceIp: '127.0.0.1',
  userAgent: 'wharf',
  resourceType: 'Tag',
  resourceUuid: 'd'.repeat(32),
  resourceName: 'one',
  changes: '{"name":{"after":"one"}}',
  outcome: 'Success',
  status: 200,
  errorCode: null,
  jobUuid: null,
  count: 1,
} as const

test('an entry is taken as it was written, also in the forms that other versions write', async (t) => {
  const database = await testDatabase(t)
  const store = new PendingStore(database)
  await database.transaction(async (tx) => {
    await store.insert(tx, { ...entry, openUntil: null })
    const values = Object.values(entry)
    const newer = [...values, 1, 'of a later column']
    const forms = [entry, values, newer].map((form) => ({ entry: JSON.stringify(form) }))
    await tx.insertInto('pendingAuditEntries').values(forms).execute()
  })
  const taken = await database.transaction((tx) => store.take(tx, 10))
  for (const { hasCanonicalChanges: _, ...row } of taken) assert.deepEqual(row, entry)
  assert.deepEqual(
    taken.map((row) => row.hasCanonicalChanges),
    [1, undefined, undefined, 1],
  )
  // what is hashed does not depend on the form
  const texts = taken.map((row) => hashedText({ ...row, seq: 7 }))
  assert.deepEqual(texts, Array(4).fill(texts[1]))
  assert.match(texts[1] ?? '', /"changes":{"name":{"after":"one"}},"count":1,.*"seq":7,"sourceIp"/)
})
