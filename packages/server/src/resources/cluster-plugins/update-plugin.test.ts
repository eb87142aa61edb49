import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { type Answer, assertFailure, TestServer } from '@wharf/testkit'

test('the name of a plugin changes at once; its token is stored when the component accepts it', async (t) => {
  const component = createServer(({ headers }, response) =>
    response.writeHead(headers.authorization === 'Bearer right' ? 200 : 401).end(),
  ).listen(0, '127.0.0.1')
  t.after(() => void component.close())
  await once(component, 'listening')
  const server = await TestServer.start(t, { environment: { WHARF_DOWNLOAD_ALLOW: '127.0.0.0/8' } })
  const { database, sealing } = server.app.foundation
  const { port: apiPort } = component.address() as AddressInfo
  const added = await server.admin.post('/v1/cluster-plugin', {
    params: { name: 'disks', managementIp: '127.0.0.1', apiPort },
  })
  const { uuid } = added.body.inventory as { uuid: string }
  const update = (updateClusterPlugin: object): Promise<Answer> =>
    server.admin.put(`/v1/cluster-plugin/${uuid}/actions`, { updateClusterPlugin })
  const row = () => database.read.selectFrom('clusterPlugins').selectAll().executeTakeFirstOrThrow()

  const named = await update({ name: 'archive' })
  assert.equal((named.body.inventory as { name: string }).name, 'archive', named.text)
  const before = await row()
  assertFailure(await update({ name: 'other', adminToken: 'wrong' }), {
    status: 409,
    code: 'ClusterPlugin.1001',
    details: '401',
  })
  assert.deepEqual(await row(), before)

  const changed = await update({ name: 'other', adminToken: 'right' })
  assert.equal(changed.status, 200, changed.text)
  assert.ok(!changed.text.includes('right'))
  const { name, sealedToken } = await row()
  assert.equal(name, 'other')
  assert.equal(sealing.open(sealedToken ?? Buffer.of(), `clusterPlugins.token.${uuid}`), 'right')
  assertFailure(await server.admin.put(`/v1/cluster-plugin/${'f'.repeat(32)}/actions`, { updateClusterPlugin: {} }), {
    status: 404,
    code: 'SYS.1003',
  })
})
