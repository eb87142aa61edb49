import assert from 'node:assert/strict'
import { after, before, type TestContext, test } from 'node:test'
import {
  assertFailure,
  proxiedPort,
  reverseCleanup,
  startHosts,
  startSftpStorage,
  type TestHost,
  TestServer,
} from '@wharf/testkit'

const cleanup = reverseCleanup({ after })
let server: TestServer
let host: TestHost
before(async () => {
  server = await TestServer.start(cleanup)
  ;[host] = (await startHosts(cleanup, 1)) as [TestHost]
})

/** Drops every second connection before its greeting, or all of them. */
const droppingPort = (t: TestContext, host: TestHost, drops = (count: number) => count % 2 === 1) =>
  proxiedPort(t, host, (count, socket) => drops(count) && socket.destroy().destroyed)

async function add(path: string, params: object) {
  const answer = await server.admin.post(path, { params: { name: 'far', ...params } })
  const { body } = await server.admin.get('/v1/api-jobs?fields=uuid&sort=-createDate&limit=1')
  const [job] = body.inventories as { uuid: string }[]
  const { text } = await server.admin.get(`/v1/api-jobs/${job?.uuid}/log`)
  return { answer, retries: text.split('\n').filter((line) => /attempt 1 of 3: no connection to /.test(line)).length }
}

test('a host whose first connection is dropped is added nevertheless', async (t) => {
  const { port, tries } = await droppingPort(t, host)
  const { username, privateKey } = host
  const at = { driver: 'ssh', address: '127.0.0.1', sshPort: port, username, privateKey }
  const { answer, retries } = await add('/v1/hosts', at)
  assert.equal(answer.status, 200, answer.text)
  assert.deepEqual([tries(), retries], [4, 2])
})

test('a storage whose first connection is dropped is added nevertheless', async (t) => {
  const { host: storage, username, root } = await startSftpStorage(t)
  const { port, tries } = await droppingPort(t, storage)
  const { privateKey } = storage
  const at = { type: 'sftp', url: `sftp://127.0.0.1:${port}${root}`, username, privateKey }
  const { answer, retries } = await add('/v1/backup-storage', at)
  assert.equal(answer.status, 200, answer.text)
  assert.deepEqual([tries(), retries], [4, 2])
})

test('a host that drops every connection is not added', async (t) => {
  const { port, tries } = await droppingPort(t, host, () => true)
  const at = { driver: 'ssh', address: '127.0.0.1', sshPort: port, username: 'root' }
  const { answer } = await add('/v1/hosts', at)
  assertFailure(answer, { status: 502, code: 'HOST.1000', details: /no connection to host 127\.0\.0\.1/ })
  assert.equal(tries(), 3)
})
