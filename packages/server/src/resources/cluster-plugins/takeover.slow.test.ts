import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer, type RequestListener } from 'node:http'
import { createServer as createSecure } from 'node:https'
import { type AddressInfo, createServer as createSilent, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { externalAddress } from '@wharf/platform/server-address.ts'
import { type Answer, assertFailure, Canaries, makeCertificate, TestServer } from '@wharf/testkit'
import { freePort } from '@wharf/testkit/free-port.ts'

const server = await TestServer.start({ after }, { environment: { WHARF_DOWNLOAD_ALLOW: '127.0.0.0/8' } })
const strict = await TestServer.start({ after })
const strictOperator = await strict.signIn('operator')
const canaries = new Canaries()
const token = canaries.create('adminToken')
const answers: string[] = []

/** Takes over the component at this port. */
async function takeOver(apiPort: number, by = server, managementIp = '127.0.0.1', caller = by.admin): Promise<Answer> {
  const params = { name: 'running', managementIp, apiPort, adminToken: token }
  const answer = await caller.post('/v1/cluster-plugin', { params })
  answers.push(answer.text)
  return answer
}

async function component(t: { after(work: () => void): void }, answer: RequestListener): Promise<number> {
  const component = createServer(answer).listen(0, '127.0.0.1')
  t.after(() => void component.close())
  await once(component, 'listening')
  return (component.address() as AddressInfo).port
}

async function assertNothingStored(by = server): Promise<void> {
  const { database } = by.app.foundation
  for (const table of ['clusterPlugins', 'systemTags', 'userTags'] as const)
    assert.deepEqual(await database.read.selectFrom(table).selectAll().execute(), [], table)
}

test('a token that the component refuses adds nothing', async (t) => {
  const port = await component(t, (_, response) => response.writeHead(401).end())
  assertFailure(await takeOver(port), { status: 409, code: 'ClusterPlugin.1001', details: 'answered 401' })
  await assertNothingStored()
})

test('a component that does not answer is given five seconds', async (t) => {
  const silent = createSilent((socket) => t.after(() => void socket.destroy())).listen(0, '127.0.0.1')
  t.after(() => void silent.close())
  await once(silent, 'listening')
  const began = performance.now()
  const answer = await takeOver((silent.address() as AddressInfo).port)
  assertFailure(answer, { status: 409, code: 'ClusterPlugin.1001', details: 'within 5 s' })
  assert.ok(performance.now() - began < 8000)
  await assertNothingStored()
})

test('a port where nothing listens adds nothing', async () => {
  const answer = await takeOver(await freePort('127.0.0.1'))
  assertFailure(answer, { status: 409, code: 'ClusterPlugin.1001', details: 'did not accept' })
  await assertNothingStored()
})

test('a connection that closes during the answer is not an acceptance', async (t) => {
  const port = await component(t, (request) => request.socket.destroy())
  assertFailure(await takeOver(port), { status: 409, code: 'ClusterPlugin.1001' })
  await assertNothingStored()
})

test('a forbidden address is refused with the name of its field', async () => {
  const refused = await takeOver(80, strict, '169.254.169.254')
  assertFailure(refused, { status: 400, code: 'SYS.1007', details: 'params.managementIp leads to 169.254.169.254' })
  assertFailure(await takeOver(80, strict, 'fe80::1%eth0'), { status: 400, code: 'SYS.1007', details: 'managementIp' })
  await assertNothingStored(strict)
})

for (const address of [
  ...['127.0.0.1', '127.9.9.9', '::1', 'localhost', '::ffff:127.0.0.1', '::127.0.0.1', '64:ff9b::7f00:1'],
  ...['2002:7f00:1::', '0.0.0.0', '::', '169.254.169.254', externalAddress(), `::ffff:${externalAddress()}`],
])
  test(`an operator cannot probe the ports of this machine through ${address}`, async (t) => {
    let connections = 0
    const open = createSilent((socket) => {
      connections++
      socket.destroy()
    }).listen(0)
    t.after(() => void open.close())
    await once(open, 'listening')
    const openPort = (open.address() as AddressInfo).port
    const closedPort = await freePort('127.0.0.1')
    const attempt = (port: number) => takeOver(port, strict, address, strictOperator)
    const [first, second] = [await attempt(openPort), await attempt(closedPort)]
    assertFailure(first, { status: 400, code: 'SYS.1007', details: 'params.managementIp leads to' })
    assert.equal(detailsOf(first), detailsOf(second))
    assert.equal(connections, 0)
    await assertNothingStored(strict)
  })

const detailsOf = ({ body }: Answer): string => (body.error as { details: string }).details.replace(/ \(request .*/, '')

test('an operator may take over on this machine where WHARF_DOWNLOAD_ALLOW admits it', async (t) => {
  const port = await component(t, (_, response) => response.writeHead(401).end())
  const answer = await takeOver(port, server, '127.0.0.1', await server.signIn('operator'))
  assertFailure(answer, { status: 409, code: 'ClusterPlugin.1001', details: 'answered 401' })
})

test('an admin takes over a component on this machine, unencrypted when it does not use TLS', async (t) => {
  const port = await component(t, (_, response) => response.end())
  const added = await takeOver(port, strict)
  assert.equal(added.status, 200, added.text)
  const { uuid } = added.body.inventory as { uuid: string }
  assert.equal((await strict.admin.delete(`/v1/cluster-plugin/${uuid}`)).status, 200)
})

for (const { what, answer } of [
  { what: 'closes the connection', answer: (socket: Socket) => socket.destroy() },
  { what: 'resets the connection', answer: (socket: Socket) => socket.resetAndDestroy() },
  { what: 'ends the handshake', answer: (socket: Socket) => socket.once('data', () => socket.end()) },
  {
    what: 'refuses the handshake',
    answer: (socket: Socket) => socket.once('data', () => socket.end(Buffer.from('15030300020228', 'hex'))),
  },
  {
    what: 'refuses the version',
    answer: (socket: Socket) => socket.once('data', () => socket.end(Buffer.from('15030300020246', 'hex'))),
  },
])
  test(`a component that ${what} does not get the token unencrypted`, async (t) => {
    let received = ''
    let connections = 0
    const attacker = createSilent((socket) => {
      connections++
      socket.on('error', () => {})
      socket.on('data', (data) => {
        received += data.toString('latin1')
      })
      answer(socket)
    }).listen(0, '127.0.0.1')
    t.after(() => void attacker.close())
    await once(attacker, 'listening')
    const failed = await takeOver((attacker.address() as AddressInfo).port)
    assertFailure(failed, { status: 409, code: 'ClusterPlugin.1001' })
    assert.equal(connections, 1)
    assert.ok(!received.includes('Bearer'))
    await assertNothingStored()
  })

test('outside this machine the token is sent unencrypted only to networks of WHARF_COMPONENT_HTTP', async (t) => {
  const seen: unknown[] = []
  const port = await component(t, ({ headers }, response) => {
    seen.push(headers.authorization)
    response.end()
  })
  const elsewhere = '::ffff:127.0.0.1'
  const refused = await takeOver(port, server, elsewhere)
  assertFailure(refused, { status: 409, code: 'ClusterPlugin.1001', details: 'WHARF_COMPONENT_HTTP' })
  assert.deepEqual(seen, [])
  const environment = { WHARF_DOWNLOAD_ALLOW: '127.0.0.0/8', WHARF_COMPONENT_HTTP: '::ffff:0:0/96' }
  const added = await takeOver(port, await TestServer.start(t, { environment }), elsewhere)
  assert.equal(added.status, 200, added.text)
  assert.deepEqual(seen, [`Bearer ${token}`])
})

test('a redirect is not an acceptance, and is not followed with the token', async (t) => {
  const seen: unknown[] = []
  const other = await component(t, ({ headers }, response) => {
    seen.push(headers.authorization)
    response.end()
  })
  const port = await component(t, (_, response) =>
    response.writeHead(302, { location: `http://127.0.0.1:${other}/` }).end(),
  )
  assertFailure(await takeOver(port), { status: 409, code: 'ClusterPlugin.1001', details: '302' })
  assert.deepEqual(seen, [])
  await assertNothingStored()
})

test('a component with an untrusted certificate does not get the token, encrypted or not', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'wharf-component-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  const { cert, key } = makeCertificate(folder)
  const untrusted = createSecure({ cert: readFileSync(cert), key: readFileSync(key) }, (_, response) => response.end())
  let connections = 0
  untrusted.on('connection', () => connections++)
  untrusted.listen(0, '127.0.0.1')
  t.after(() => void untrusted.close())
  await once(untrusted, 'listening')
  const answer = await takeOver((untrusted.address() as AddressInfo).port)
  assertFailure(answer, { status: 409, code: 'ClusterPlugin.1001', details: 'WHARF_CA_FILE' })
  assert.equal(connections, 1)
  await assertNothingStored()
})

test('an accepted token is stored sealed and never shown', async (t) => {
  const requests: unknown[] = []
  const port = await component(t, ({ method, url, headers }, response) => {
    requests.push([method, url, headers.authorization])
    response.end('{}')
  })
  const added = await takeOver(port)
  assert.equal(added.status, 200, added.text)
  const { uuid, managementIp, apiPort } = added.body.inventory as Record<string, unknown>
  assert.deepEqual([managementIp, apiPort], ['127.0.0.1', port])
  assert.deepEqual(requests, [['GET', '/health', `Bearer ${token}`]])

  for (const path of [`/v1/cluster-plugin/${uuid}`, '/v1/cluster-plugin', `/v1/api-jobs?q=subjectUuid=${uuid}`])
    answers.push((await server.admin.get(path)).text)
  const { body } = await server.admin.get('/v1/api-jobs')
  for (const { uuid: job } of body.inventories as { uuid: string }[])
    for (const path of [`/v1/api-jobs/${job}`, `/v1/api-jobs/${job}/log`])
      answers.push((await server.admin.get(path)).text)
  assert.deepEqual(canaries.findIn(answers.join('\n')), [])
  assert.deepEqual(canaries.findIn(server.logText + strict.logText), [])
  const database = await everyRow()
  assert.ok(database.includes(String(uuid)))
  assert.deepEqual(canaries.findIn(database), [])
  const [row] = await server.app.foundation.database.read.selectFrom('clusterPlugins').select('sealedToken').execute()
  assert.ok(row?.sealedToken)
})

/** All rows of the database; sealed values are bytes. */
async function everyRow(): Promise<Buffer> {
  const { read } = server.app.foundation.database
  const tables = await read.introspection.getTables()
  const rows: object[][] = []
  for (const { name } of tables)
    rows.push(
      await read
        .selectFrom(name as 'events')
        .selectAll()
        .execute(),
    )
  const values = rows.flat().flatMap((row): unknown[] => Object.values(row))
  return Buffer.concat(values.map((value) => Buffer.from(value instanceof Uint8Array ? value : String(value))))
}
