import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { after, type TestContext, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { type Answer, assertFailure, nodeEnvironments, reverseCleanup, ServerProcess, testEngine } from '@wharf/testkit'
import pg from 'pg'

/** What is promised, in milliseconds. */
const promisedMs = 5000

/** A listener that accepts nothing: connections are made, up to `backlog`, and never answered; then nothing comes back. */
async function deafListener(t: TestContext, backlog: number): Promise<number> {
  const script = `require('node:net').createServer().listen({ port: 0, host: '127.0.0.1', backlog: ${backlog} }, function () { console.log(this.address().port) })`
  const listener = spawn(process.execPath, ['-e', script], { stdio: ['ignore', 'pipe', 'inherit'] })
  t.after(() => listener.kill('SIGKILL'))
  const [port] = await once(listener.stdout, 'data')
  listener.kill('SIGSTOP')
  return Number(port)
}

/** Two nodes as processes on one PostgreSQL, which alone can be shared. */
if (testEngine === 'postgres') {
  const cleanup = reverseCleanup({ after })
  const more = { WHARF_DOWNLOAD_ALLOW: '127.0.0.0/8' }
  const [one = {}, two = {}] = await nodeEnvironments(cleanup, 2)
  const first = new ServerProcess({ ...one, ...more })
  const second = new ServerProcess({ ...two, ...more })
  for (const server of [first, second]) {
    await server.start()
    cleanup.after(() => server.kill())
  }
  const database = new pg.Client({ connectionString: one.WHARF_DATABASE_URL })
  await database.connect()
  cleanup.after(() => database.end())

  const usageThere = (): Promise<Answer> => {
    const query = { managementNodeUuid: second.bootstrap.managementNodeUuid, directoryPath: '/' }
    return first.admin.get(`/v1/software-package/directory/usage?${new URLSearchParams(query)}`)
  }

  async function timed<T>(work: () => Promise<T>): Promise<{ ms: number; result: T }> {
    const began = performance.now()
    const result = await work()
    return { ms: performance.now() - began, result }
  }

  /** What this machine adds to every call just now: the slowest of those that need nobody. */
  async function slowestPlainCall(until: AbortSignal): Promise<number> {
    let slowest = 0
    while (!until.aborted) {
      slowest = Math.max(slowest, (await timed(() => first.anonymous.get('/healthz'))).ms)
      await delay(100)
    }
    return slowest
  }

  async function refusedInTime(limitMs: number, call = usageThere): Promise<void> {
    const answered = new AbortController()
    const slowest = slowestPlainCall(answered.signal)
    const { ms, result } = await timed(call)
    answered.abort()
    assertFailure(result, { status: 502, code: 'SYS.1012' })
    const allowedMs = limitMs + 3 * (await slowest)
    assert.ok(ms < allowedMs, `${ms} ms, of ${allowedMs}`)
  }

  const setUrl = (url: string) =>
    database.query('update "managementNodes" set "url" = $1 where "uuid" = $2', [
      url,
      second.bootstrap.managementNodeUuid,
    ])

  test('an address where nobody answers: refused within five seconds', async (t) => {
    const port = await deafListener(t, 64)
    await setUrl(`http://127.0.0.1:${port}`)
    await refusedInTime(promisedMs)
  })

  test('an address that drops all packets: refused within five seconds', async (t) => {
    const port = await deafListener(t, 1)
    const fill: Socket[] = Array.from({ length: 4 }, () => connect(port, '127.0.0.1').on('error', () => {}))
    t.after(() => {
      for (const socket of fill) socket.destroy()
    })
    await delay(200)
    await setUrl(`http://127.0.0.1:${port}`)
    await refusedInTime(promisedMs)
    await setUrl(second.bootstrap.url)
    assert.equal((await usageThere()).status, 200)
  })

  /** Of a package for the second node's machine, whose source answers so late. */
  const lateUpload = async (t: TestContext, name: string, afterMs: number) => {
    const source = createServer((_request, response) => void setTimeout(() => response.end('late'), afterMs))
    source.listen(0, '127.0.0.1')
    t.after(() => source.close())
    await once(source, 'listening')
    const { hostUuid, managementNodeUuid } = second.bootstrap
    const installPath = `/tmp/wharf-away-${randomBytes(6).toString('hex')}`
    const url = `http://127.0.0.1:${(source.address() as AddressInfo).port}/late`
    return { name, type: name, url, installPath, hostUuid, managementNodeUuid }
  }

  test('a slow call is not aborted while its node is alive', async (t) => {
    const params = await lateUpload(t, 'late', 7000)
    const { ms, result } = await timed(() =>
      first.admin.post('/v1/software-packages/upload', { params }, { prefer: 'wait=60' }),
    )
    assert.equal(result.status, 200, result.text)
    assert.equal(result.headers.get('preference-applied'), 'wait=60')
    assert.ok(ms > 6000)
    const { uuid } = result.body.inventory as { uuid: string }
    assert.equal((await first.admin.delete(`/v1/software-package/${uuid}`)).status, 200)
  })

  test('a call that another node handles gets 202 when its own node shuts down', async (t) => {
    const params = await lateUpload(t, 'held', 3000)
    const response = first.admin.post('/v1/software-packages/upload', { params })
    const client = second.adminOf(first)
    const exists = async () => (await client.get('/v1/software-package?q=name=held&count=true')).body.total === 1
    for (let tries = 0; tries < 200 && !(await exists()); tries++) await delay(20)
    const stopped = first.stop()
    const answer = await response
    assert.equal(answer.status, 202, answer.text)
    const { pathname, search } = new URL(String(answer.body.location))
    const poll = () => second.anonymous.get(pathname.slice('/wharf'.length) + search)
    let polled = await poll()
    for (let tries = 0; tries < 400 && polled.status === 202; tries++) {
      await delay(50)
      polled = await poll()
    }
    assert.equal(polled.status, 200, polled.text)
    await stopped
    await first.start()
    const { uuid } = polled.body.inventory as { uuid: string }
    assert.equal((await first.admin.delete(`/v1/software-package/${uuid}`)).status, 200)
  })

  test('a node that was stopped: refused within five seconds, and an abandoned call has no effect when it resumes', async () => {
    second.send('SIGSTOP')
    const { hostUuid, managementNodeUuid } = second.bootstrap
    const params = { name: 'slept', type: 'slept', url: 'upload://slept', hostUuid, managementNodeUuid }
    const response = first.admin.post('/v1/software-packages/upload', {
      params: { ...params, installPath: '/tmp/wharf-slept' },
    })
    await Promise.all([refusedInTime(promisedMs, () => response), refusedInTime(promisedMs)])
    await delay(2000)
    second.send('SIGCONT')
    for (let tries = 0; tries < 100 && (await usageThere()).status !== 200; tries++) await delay(50)
    const { total } = (await first.admin.get('/v1/software-package?q=name=slept&count=true')).body
    assert.equal(total, 0)
  })

  const statusOf = async (path: string): Promise<string> => {
    const { inventories } = (await first.admin.get(path)).body
    return (inventories as { status: string }[])[0]?.status ?? ''
  }
  const until = async (path: string, status: string): Promise<void> => {
    for (let tries = 0; tries < 600; tries++) {
      if ((await statusOf(path)) === status) return
      await delay(50)
    }
    throw new Error(`${path} is ${await statusOf(path)}, not ${status}`)
  }

  test('a node that was killed is refused at once; what is on its machine is lost and returns with it', async () => {
    const { managementNodeUuid, hostUuid, backupStorageUuid } = second.bootstrap
    const [node, host, storage] = [
      `/v1/management-nodes/${managementNodeUuid}`,
      `/v1/hosts/${hostUuid}`,
      `/v1/backup-storage/${backupStorageUuid}`,
    ]
    await second.kill()
    await refusedInTime(1500)
    await until(node, 'Dead')
    assert.deepEqual([await statusOf(host), await statusOf(storage)], ['Disconnected', 'Disconnected'])
    await refusedInTime(1500)
    await second.start()
    assert.equal(await statusOf(node), 'Alive')
    await until(host, 'Connected')
    await until(storage, 'Connected')
    assert.equal((await usageThere()).status, 200)
  })
}
