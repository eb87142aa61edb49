import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, type TestContext, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import {
  DatabaseProxy,
  EventReader,
  reverseCleanup,
  runServerProgram,
  ServerProcess,
  serverEnvironment,
  testEngine,
  trialProgram,
} from '@wharf/testkit'

const folder = mkdtempSync(join(tmpdir(), 'wharf-serve-'))
after(() => rmSync(folder, { recursive: true }))

async function started(t: TestContext, more: Record<string, string> = {}, program?: string): Promise<ServerProcess> {
  const cleanup = reverseCleanup(t)
  const server = new ServerProcess({ ...(await serverEnvironment(cleanup)), ...more }, program)
  cleanup.after(() => server.kill())
  await server.start()
  return server
}

/** The limit is ten seconds, and more on a machine that runs other tests. */
const stopMs = 15_000
/** Less than the wait for a call that does not end. */
const atOnceMs = 5000

const logOf = ({ stderr }: ServerProcess): Record<string, unknown>[] =>
  stderr
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line))

/** A call that the server has started to read, and whose body does not arrive. */
async function halfACall({ bootstrap }: ServerProcess): Promise<void> {
  const { hostname, port, pathname } = new URL(bootstrap.url)
  const socket = connect(Number(port), hostname)
  socket.on('error', () => {})
  const headers = ['Content-Type: application/json', 'Content-Length: 100', 'Expect: 100-continue', '', '']
  socket.write([`PUT ${pathname}/v1/accounts/login HTTP/1.1`, `Host: ${hostname}`, ...headers].join('\r\n'))
  const [answer] = await once(socket, 'data')
  assert.match(String(answer), /^HTTP\/1\.1 100 Continue/)
}

test('SIGTERM answers waiting calls, ends streams, releases jobs, and exits with 0 within ten seconds', async (t) => {
  const server = await started(t, {}, trialProgram)
  const trace = join(folder, 'trace')
  const stream = new EventReader(server.admin, '/v1/events')
  assert.equal(await stream.status, 200)
  const streamEnds = Array.fromAsync(stream)
  const script = JSON.stringify({ trace, stepMs: 2000 })
  const held = server.admin.post('/v1/demo-jobs', { params: { script } })
  for (let tries = 0; tries < 200; tries++) {
    const { body } = await server.admin.get('/v1/api-jobs?q=state=Running&count=true')
    if (body.total === 1) break
    await delay(20)
  }
  const began = performance.now()
  server.send('SIGTERM')
  const answer = await held
  assert.equal(answer.status, 202)
  await streamEnds
  assert.equal(await server.exitCode(), 0)
  assert.ok(performance.now() - began < stopMs)
  assert.deepEqual(
    logOf(server)
      .map(({ msg }) => msg)
      .filter((msg) => msg !== 'request'),
    ['ready', 'draining', 'stopped'],
  )

  await server.start()
  const location = new URL(String(answer.body.location))
  for (let tries = 0; tries < 600; tries++) {
    const { status, body } = await server.admin.get(location.pathname.slice('/wharf'.length) + location.search)
    if (status !== 202) {
      assert.deepEqual([status, body.steps], [200, 'first second third'])
      break
    }
    await delay(50)
  }
  assert.equal(readFileSync(trace, 'utf8'), 'run first\nrun second\nrun third\n')

  await t.test('a call that does not end delays the exit only up to a limit', async () => {
    await halfACall(server)
    const began = performance.now()
    server.send('SIGTERM')
    assert.equal(await server.exitCode(), 0)
    assert.ok(performance.now() - began < stopMs, `${performance.now() - began} ms`)
  })
})

test('a second signal ends the process immediately', async (t) => {
  const server = await started(t)
  await halfACall(server)
  server.send('SIGINT')
  await delay(1000)
  const began = performance.now()
  server.send('SIGTERM')
  assert.equal(await server.exitCode(), 1)
  assert.ok(performance.now() - began < atOnceMs, `${performance.now() - began} ms`)
})

if (testEngine === 'postgres') {
  test('an unresponsive database does not delay the exit', async (t) => {
    const cleanup = reverseCleanup(t)
    const environment = await serverEnvironment(cleanup)
    const gate = await DatabaseProxy.to(environment.WHARF_DATABASE_URL ?? '', cleanup)
    const server = new ServerProcess({ ...environment, WHARF_DATABASE_URL: gate.url })
    cleanup.after(() => server.kill())
    await server.start()
    gate.freeze()
    const began = performance.now()
    server.send('SIGTERM')
    assert.equal(await server.exitCode(), 0)
    assert.ok(performance.now() - began < stopMs, `${performance.now() - began} ms`)
    assert.ok(
      logOf(server).some(({ level, msg }) => level === 'warn' && String(msg).startsWith('not everything stopped')),
    )
  })
}

test('standard output is for people, standard error for machines; a second server on the data folder is refused', async (t) => {
  const server = await started(t)
  const { bootstrap, admin, stdout } = server
  const ended = await runServerProgram(server.environment)
  assert.match(
    ended.stderr,
    /^wharf-server: another wharf-server works in the data folder [^\n]*: stop it first[^\n]*\n$/,
  )
  assert.deepEqual([ended.code, ended.stdout], [1, ''])
  const file = join(server.environment.WHARF_DATA ?? '', 'bootstrap.json')
  for (const text of [
    `is ready at ${bootstrap.url}\n`,
    file,
    `${bootstrap.url}/ in a browser`,
    `${bootstrap.url}/docs`,
  ])
    assert.ok(stdout.includes(text), text)
  assert.ok(stdout.split('\n').length < 20 && !stdout.includes('Warning'))
  for (const secret of [bootstrap.password, bootstrap.accessKeySecret]) assert.ok(!stdout.includes(secret))

  const login = { logInByAccount: { accountName: 'admin', password: bootstrap.password } }
  const { body } = await admin.put('/v1/accounts/login', login)
  const session = (body.inventory as { uuid: string }).uuid
  const answer = await admin.get('/v1/hosts?q=name=canary-in-the-query&fields=uuid')
  await admin.get(`/v1/accounts/sessions/${session}/valid`)
  await admin.get('/v1/nothing-here?token=canary-in-the-query')
  await admin.post('/v1/tags', '{ "canary-in-the-body": ')
  await admin.delete(`/v1/accounts/sessions/${session}`)
  await server.stop()
  assert.equal(server.stdout, stdout)
  const log = logOf(server)
  assert.ok(log.every(({ level, time, msg }) => level && Date.parse(String(time)) && msg))
  const requests = log.filter(({ msg }) => msg === 'request')
  assert.equal(requests.length, 6)
  for (const { requestId, method, path, status, ms, source } of requests) {
    assert.match(String(requestId), /^[0-9a-f]{32}$/)
    assert.ok(method && String(path).startsWith('/v1/') && status && Number(ms) >= 0 && source === '127.0.0.1')
  }
  assert.ok(requests.some(({ requestId }) => requestId === answer.headers.get('x-request-id')))
  assert.ok(requests.some(({ path }) => path === '/v1/accounts/sessions/[session]/valid'))
  for (const secret of [session, 'canary', bootstrap.password, bootstrap.accessKeySecret, '?'])
    assert.ok(!server.stderr.includes(secret), secret)
})

test('warns when the server listens on the network without TLS', async (t) => {
  const server = await started(t, { WHARF_HOST: '0.0.0.0' })
  assert.match(server.stdout, /Warning: listening on the network without TLS/)
  assert.match(server.bootstrap.url, /^http:\/\/127\.0\.0\.1:\d+\/wharf$/)
  assert.equal((await server.admin.get('/v1/hosts')).status, 200)
  await t.test('Ctrl-C under npm, which sends the signal twice, finishes calls too', async () => {
    await halfACall(server)
    server.send('SIGINT')
    await delay(20)
    server.send('SIGINT')
    assert.equal(await server.exitCode(), 0)
  })
  assert.ok(logOf(server).some(({ level, msg }) => level === 'warn' && msg === 'listening on the network without TLS'))
})
