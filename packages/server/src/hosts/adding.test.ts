import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertFailure, TestServer } from '@wharf/testkit'
import { HostService } from './service.ts'

test('a host that is still being added can be neither reconnected nor deleted, but its adding can be undone', async (t) => {
  const server = await TestServer.start(t)
  const { hostUuid: uuid } = server.bootstrap
  const { database } = server.app.foundation
  const service = new HostService(server.app.foundation)
  await database.transaction((tx) => service.update(tx, uuid, { status: 'Connecting' }))
  const path = `/v1/hosts/${uuid}`
  const details = /^host this-node is Connecting; it must be Connected or Disconnected/
  for (const answer of [
    await server.admin.put(`${path}/actions`, { reconnectHost: {} }),
    await server.admin.delete(path),
  ])
    assertFailure(answer, { status: 409, code: 'SYS.1005', details })
  assert.equal((await service.get(uuid)).status, 'Connecting')
  await database.transaction((tx) => service.deleteIfThere(tx, uuid))
  await assert.rejects(service.get(uuid), { code: 'SYS.1003' })
})
