import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testDatabase, testEngine } from '@wharf/testkit'
import { NodeStore } from './store.ts'

const row = {
  uuid: 'a'.repeat(32),
  hostName: 'x',
  url: 'http://x',
  publicUrl: 'https://wharf.example',
  version: '1',
  status: 'Alive',
  createDate: 0,
} as const

test('after the clock was set back, heartbeats of SQLite keep increasing; those of PostgreSQL have its time', async (t) => {
  const database = await testDatabase(t)
  const store = new NodeStore(database)
  const ahead = Date.now() + 3_600_000
  const times = await database.transaction(async (tx) => {
    await store.upsert(tx, row)
    await tx.updateTable('managementNodes').set({ lastOpDate: ahead }).execute()
    const touched = await store.touch(tx, row.uuid)
    await store.upsert(tx, row)
    const again = await store.touch(tx, row.uuid)
    return [touched?.lastOpDate ?? 0, again?.lastOpDate ?? 0]
  })
  if (testEngine === 'sqlite') assert.deepEqual(times, [ahead + 1, ahead + 3])
  else
    assert.ok(
      times.every((time) => time < ahead),
      `${times}`,
    )
})
