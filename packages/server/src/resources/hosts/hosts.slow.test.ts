import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { assertFailure, EventReader, startHosts, TestServer } from '@wharf/testkit'
import { privateKeyContext } from './drivers.ts'

interface HostRecord {
  uuid: string
  hostName: string
  status: string
  state: string
  hostKeyFingerprint: string
  totalCapacity: number
}

test('a real host is added, watched, disabled, reconnected and deleted', async (t) => {
  const [machine] = await startHosts(t, 1)
  assert.ok(machine)
  const server = await TestServer.start(t)
  const { address, port, username, privateKey, hostKeyFingerprint } = machine
  const params = { name: 'web-1', driver: 'ssh', address, sshPort: port, username, privateKey }

  const added = await server.admin.post('/v1/hosts', { params: { ...params, hostKeyFingerprint }, userTags: ['blue'] })
  assert.equal(added.status, 200, added.text)
  const host = added.body.inventory as HostRecord
  assert.equal(host.status, 'Connected')
  assert.equal(host.hostKeyFingerprint, hostKeyFingerprint)
  assert.ok(host.totalCapacity > 0)
  assert.ok(!added.text.includes('PRIVATE KEY'))

  const actions = `/v1/hosts/${host.uuid}/actions`
  const disabled = await server.admin.put(actions, { changeHostState: { stateEvent: 'disable' } })
  assert.equal((disabled.body.inventory as HostRecord).state, 'Disabled')
  await server.admin.put(actions, { changeHostState: { stateEvent: 'enable' } })

  await machine.kill()
  assertFailure(await server.admin.put(actions, { reconnectHost: {} }), { status: 502, code: 'HOST.1003' })
  const { body } = await server.admin.get(`/v1/hosts/${host.uuid}`)
  assert.equal((body.inventories as HostRecord[])[0]?.status, 'Disconnected')

  const events = new EventReader(server.admin, '/v1/events')
  assert.equal(await events.status, 200)
  assert.equal((await server.admin.delete(`/v1/hosts/${host.uuid}`)).status, 200)
  const [deleted] = await events.take(1)
  assert.match(deleted?.data ?? '', new RegExp(`"Deleted".*"Host".*${host.uuid}`))
  events.stop()
  assert.deepEqual((await server.admin.get(`/v1/user-tags?q=resourceUuid=${host.uuid}`)).body.inventories, [])
})

test('a key that a form changed is stored in the format of ssh', async (t) => {
  const [machine] = await startHosts(t, 1)
  assert.ok(machine)
  const server = await TestServer.start(t)
  const { address, port, username, privateKey } = machine
  const sent = privateKey.trim().replaceAll('\n', '\r\n')
  const params = { name: 'web-1', driver: 'ssh', address, sshPort: port, username, privateKey: sent }
  const added = await server.admin.post('/v1/hosts', { params })
  assert.equal(added.status, 200, added.text)

  const { uuid } = added.body.inventory as HostRecord
  const { database, sealing } = server.app.foundation
  const row = database.read.selectFrom('hosts').select('sealedPrivateKey').where('uuid', '=', uuid)
  const { sealedPrivateKey } = await row.executeTakeFirstOrThrow()
  assert.equal(sealing.open(sealedPrivateKey ?? Buffer.of(), privateKeyContext(uuid)), `${privateKey.trim()}\n`)
})

test('a host that cannot be added leaves no record', async (t) => {
  const [machine] = await startHosts(t, 1)
  assert.ok(machine)
  const server = await TestServer.start(t)
  const { address, port, username, privateKey } = machine
  const add = (more: object) =>
    server.admin.post('/v1/hosts', {
      params: { name: 'web-1', driver: 'ssh', address, sshPort: port, username, privateKey, ...more },
    })
  const other = `SHA256:${'A'.repeat(43)}`
  for (const [more, status, code, details] of [
    [{ sshPort: 1 }, 502, 'HOST.1000', /refused/i],
    [{ hostKeyFingerprint: other }, 502, 'HOST.1000', /fingerprint/],
    [{ hostKeyFingerprint: 'md5:xx' }, 400, 'SYS.1007', /hostKeyFingerprint/],
    [{ privateKey: 'nonsense' }, 400, 'SYS.1007', /privateKey/],
    [{ address: '-oProxyCommand=reboot' }, 400, 'SYS.1007', /address/],
    [{ username: 'a b' }, 400, 'SYS.1007', /username/],
  ] as const)
    assertFailure(await add(more), { status, code, details })
  const { body } = await server.admin.get('/v1/hosts?fields=name')
  assert.deepEqual(body.inventories, [{ name: 'this-node' }])
})

test('the keys of a machine are returned before it is added, and nothing is stored', async (t) => {
  const [machine] = await startHosts(t, 1)
  assert.ok(machine)
  const server = await TestServer.start(t)
  const getKeys = (params: object) => server.admin.post('/v1/hosts/keys', { params })
  const { address, port: sshPort, hostKey, hostKeyFingerprint: fingerprint } = machine
  const { status, body, text } = await getKeys({ address, sshPort })
  assert.equal(status, 200, text)
  assert.deepEqual(body.keys, [{ type: hostKey.split(' ')[0], fingerprint }])

  for (const [params, expected] of [
    [
      { address, sshPort: 1 },
      { status: 502, code: 'HOST.1003', details: /refused/i },
    ],
    [{ address: '-oProxyCommand=reboot' }, { status: 400, code: 'SYS.1007', details: /address/ }],
    [
      { address, sshPort: 0 },
      { status: 400, code: 'SYS.1007', details: /sshPort/ },
    ],
    [{ sshPort }, { status: 400, code: 'SYS.1007', details: /address/ }],
  ] as const)
    assertFailure(await getKeys(params), expected)
  const operator = await server.signIn('operator')
  assertFailure(await operator.post('/v1/hosts/keys', { params: { address, sshPort } }), {
    status: 403,
    code: 'ID.1002',
  })

  assert.deepEqual((await server.admin.get('/v1/hosts?fields=name')).body.inventories, [{ name: 'this-node' }])
  assert.deepEqual((await server.admin.get('/v1/api-jobs')).body.inventories, [])
})
