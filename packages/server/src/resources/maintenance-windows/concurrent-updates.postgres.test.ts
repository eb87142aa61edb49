import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import type { Tx } from '@wharf/database/database.ts'
import { TestServer } from '@wharf/testkit'
import { sql } from 'kysely'

const server = await TestServer.start({ after })
const { admin } = server
const { database } = server.app.foundation

/** Transactions of this database that wait for a lock. */
async function countWaiting(tx: Tx): Promise<number> {
  // a transaction would see what it saw first
  await sql`select pg_stat_clear_snapshot()`.execute(tx)
  const query = sql<{ pid: number }>`select pid from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`
  return (await query.execute(tx)).rows.length
}

test('of two updates at once, each of another field, neither is lost', async () => {
  const fields = { name: 'nightly', selector: [], cron: '0 2 * * *', durationMinutes: 60, timeZone: 'UTC' }
  const { body } = await admin.post('/v1/maintenance-windows', { params: { ...fields, cutoffMinutes: 0 } })
  const { uuid } = body.inventory as { uuid: string }
  const path = `/v1/maintenance-windows/${uuid}/actions`
  const updates = await database.transaction(async (tx) => {
    await tx.updateTable('maintenanceWindows').set({ name: 'nightly' }).where('uuid', '=', uuid).execute()
    const sent = [{ durationMinutes: 90 }, { timeZone: 'Europe/Berlin' }].map((updateMaintenanceWindow) =>
      admin.put(path, { updateMaintenanceWindow }),
    )
    for (let wait = 0; wait < 200 && (await countWaiting(tx)) < sent.length; wait++) await delay(50)
    return sent
  })
  for (const { status, text } of await Promise.all(updates)) assert.equal(status, 200, text)
  const { inventories } = (await admin.get(`/v1/maintenance-windows/${uuid}`)).body
  const [{ durationMinutes, timeZone }] = inventories as [{ durationMinutes: number; timeZone: string }]
  assert.deepEqual({ durationMinutes, timeZone }, { durationMinutes: 90, timeZone: 'Europe/Berlin' })
})
