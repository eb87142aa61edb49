import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Answer, assertFailure, hostsNeedRoot, startHosts, TestServer } from '@wharf/testkit'

interface Host {
  uuid: string
  name: string
  sshPort: number
  status: string
  hostKeyFingerprint: string
}

test('a changed connection is tried on a real host before it is stored', async (t) => {
  const [first, second] = await startHosts(t, 2)
  assert.ok(first && second)
  const server = await TestServer.start(t)
  const { database } = server.app.foundation
  const { address, port, username, privateKey } = first
  const params = { name: 'web-1', driver: 'ssh', address, sshPort: port, username, privateKey, labels: { zone: 'a' } }
  const added = await server.admin.post('/v1/hosts', { params })
  assert.equal(added.status, 200, added.text)
  const { uuid } = added.body.inventory as Host
  const update = (updateHost: object): Promise<Answer> => server.admin.put(`/v1/hosts/${uuid}/actions`, { updateHost })
  const row = () => database.read.selectFrom('hosts').selectAll().where('uuid', '=', uuid).executeTakeFirstOrThrow()
  const moved = { address: second.address, sshPort: second.port, username: second.username }
  const before = await row()

  // the last one signs in with the key of the server, which the host does not know
  for (const [fields, code, details] of [
    [{ sshPort: 1 }, 'HOST.1003', /refused/],
    [{ ...moved, username: 'stranger' }, 'HOST.1005', /refused the sign-in of stranger/],
    [{ ...moved, hostKeyFingerprint: first.hostKeyFingerprint }, 'HOST.1004', /fingerprint/],
    [{ clear: ['privateKey'] }, 'HOST.1005', /refused the sign-in/],
  ] as const) {
    assertFailure(await update({ name: 'changed', ...fields }), { status: 502, code, details })
    assert.deepEqual(await row(), before)
  }
  const works = await server.admin.put(`/v1/hosts/${uuid}/actions`, { reconnectHost: {} })
  assert.equal(works.status, 200, works.text)

  const answer = await update({ ...moved, privateKey: second.privateKey, name: 'web-2', labels: { role: 'web' } })
  assert.equal(answer.status, 200, answer.text)
  assert.ok(!answer.text.includes('PRIVATE KEY'))
  assert.partialDeepStrictEqual(answer.body.inventory, {
    name: 'web-2',
    sshPort: second.port,
    status: 'Connected',
    hostKeyFingerprint: second.hostKeyFingerprint,
    labels: { role: 'web', zone: 'a' },
  })
  await first.kill()
  const again = await server.admin.put(`/v1/hosts/${uuid}/actions`, { reconnectHost: {} })
  assert.equal(again.status, 200, again.text)

  const log = await server.admin.get('/v1/api-jobs?q=operation=UpdateHost&sort=-createDate')
  assert.ok(!log.text.includes('PRIVATE KEY'))
})

test('a new key is installed and tried before the former one is removed; a failure leaves the former one alone', {
  skip: hostsNeedRoot,
}, async (t) => {
  const [machine] = await startHosts(t, 1)
  assert.ok(machine)
  await machine.exec('mkdir -m 700 -p ~/.ssh && mv /etc/ssh/wharf_authorized_keys ~/.ssh/authorized_keys')
  const server = await TestServer.start(t)
  const { address, port, username, privateKey } = machine
  const params = { name: 'web-1', driver: 'ssh', address, sshPort: port, username, privateKey }
  const added = await server.admin.post('/v1/hosts', { params })
  assert.equal(added.status, 200, added.text)
  const { uuid } = added.body.inventory as Host
  const act = (action: object): Promise<Answer> => server.admin.put(`/v1/hosts/${uuid}/actions`, action)
  const authorized = async () => (await machine.exec('cat ~/.ssh/authorized_keys')).trim().split('\n')
  const [former = '', ...others] = await authorized()
  await machine.exec(`printf 'ssh-rsa AAAA somebody else' >> ~/.ssh/authorized_keys`)

  const rotated = await act({ rotateHostKey: {} })
  assert.equal(rotated.status, 200, rotated.text)
  assert.ok(!rotated.text.includes('PRIVATE KEY'))
  const after = await authorized()
  assert.ok(!after.includes(former))
  assert.deepEqual(after.slice(0, -1), [...others, 'ssh-rsa AAAA somebody else'])
  assert.match(after.at(-1) ?? '', /^ssh-ed25519 /)
  assert.equal((await act({ reconnectHost: {} })).status, 200)
  assertFailure(await act({ updateHost: { privateKey } }), { status: 502, code: 'HOST.1005' })

  await machine.exec('mv ~/.ssh/authorized_keys /etc/ssh/wharf_authorized_keys && rmdir ~/.ssh && touch ~/.ssh')
  const details = /the key could not be added to ~\/\.ssh\/authorized_keys on the host: /
  assertFailure(await act({ rotateHostKey: {} }), { status: 502, code: 'SYS.1016', details })
  assert.equal((await act({ reconnectHost: {} })).status, 200)
})
