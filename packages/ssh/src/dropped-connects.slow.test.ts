import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { assertFailure, proxiedPort, startHosts, startSftpStorage, type TestHost, TestServer } from '@wharf/testkit'

/** Drops every second connection before its greeting, or all of them. */
const droppingPort = (t: TestContext, host: TestHost, drops = (count: number) => count % 2 === 1) =>
  proxiedPort(t, host, (count, socket) => drops(count) && socket.destroy().destroyed)

async function add(t: TestContext, path: string, params: object) {
  const server = await TestServer.start(t)
  const answer = await server.admin.post(path, { params: { name: 'far', ...params } })
  const { body } = await server.admin.get('/v1/api-jobs?fields=uuid')
  const [job] = body.inventories as { uuid: string }[]
  const { text } = await server.admin.get(`/v1/api-jobs/${job?.uuid}/log`)
  return { answer, retries: text.split('\n').filter((line) => /attempt 1 of 3: no connection to /.test(line)).length }
}

test('a host whose first connection is dropped is added nevertheless', async (t) => {
  const [host] = (await startHosts(t, 1)) as [TestHost]
  const { port, tries } = await droppingPort(t, host)
  const { username, privateKey } = host
  const at = { driver: 'ssh', address: '127.0.0.1', sshPort: port, username, privateKey }
  const { answer, retries } = await add(t, '/v1/hosts', at)
  assert.equal(answer.status, 200, answer.text)
  assert.deepEqual([tries(), retries], [4, 2])
})

test('a storage whose first connection is dropped is added nevertheless', async (t) => {
  const { host, username, root } = await startSftpStorage(t)
  const { port, tries } = await droppingPort(t, host)
  const { privateKey } = host
  const at = { type: 'sftp', url: `sftp://127.0.0.1:${port}${root}`, username, privateKey }
  const { answer, retries } = await add(t, '/v1/backup-storage', at)
  assert.equal(answer.status, 200, answer.text)
  assert.deepEqual([tries(), retries], [4, 2])
})

test('a host that drops every connection is not added', async (t) => {
  const [host] = (await startHosts(t, 1)) as [TestHost]
  const { port, tries } = await droppingPort(t, host, () => true)
  const at = { driver: 'ssh', address: '127.0.0.1', sshPort: port, username: 'root' }
  const { answer } = await add(t, '/v1/hosts', at)
  assertFailure(answer, { status: 502, code: 'HOST.1000', details: /no connection to host 127\.0\.0\.1/ })
  assert.equal(tries(), 3)
})
