import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { TestServer } from '@wharf/testkit'

const server = await TestServer.start({ after })
const { admin } = server
const { database } = server.app.foundation

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
    // both wait for this transaction
    await delay(200)
    return sent
  })
  for (const { status, text } of await Promise.all(updates)) assert.equal(status, 200, text)
  const { inventories } = (await admin.get(`/v1/maintenance-windows/${uuid}`)).body
  const [{ durationMinutes, timeZone }] = inventories as [{ durationMinutes: number; timeZone: string }]
  assert.deepEqual({ durationMinutes, timeZone }, { durationMinutes: 90, timeZone: 'Europe/Berlin' })
})
