import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { after, type TestContext, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { gunzipSync } from 'node:zlib'
import { newUuid } from '@wharf/platform/ids.ts'
import { type Answer, rawBytes, TestServer } from '@wharf/testkit'

/**
 * What client libraries of platforms with this interface put on the wire, byte by byte: they hard-code their prefix and
 * their scheme word, and cannot be changed. Each row is one behaviour that the server must support.
 */
const environment = { WHARF_BASE_PATH: '/zstack', WHARF_AUTH_SCHEMES: 'Service,ZStack' }
const server = await TestServer.start({ after }, { environment })
const { bootstrap } = server
const { hostUuid, managementNodeUuid } = bootstrap
const signedIn = await server.anonymous.put('/v1/accounts/login', {
  logInByAccount: { accountName: 'admin', password: bootstrap.password },
})
const session = (signedIn.body.inventory as { uuid: string }).uuid

interface Sent {
  /** Method and target, as on the first line. */
  line: string
  /** What is signed, where it is not the target's own path. */
  signedPath?: string
  zone?: string
  /** In place of a signature. */
  authorization?: string
  jobUuid?: string
  contentType?: string
  /** Further lines of the head. */
  more?: readonly string[]
  body?: string
}

/** Their clocks name a zone after a local time: the same second, an offset away. */
function dateIn(zone: string): string {
  const hours = zone === 'CST' ? 8 : 0
  return new Date(Date.now() + hours * 3_600_000).toUTCString().replace('GMT', zone)
}

/** Header names in lower case and in their order, a job's uuid on every call. */
function headOf(sent: Sent, { url, bootstrap: { accessKeyId, accessKeySecret } }: TestServer): string[] {
  const { line, signedPath, zone = 'GMT', authorization, jobUuid, contentType, more = [], body } = sent
  const [method = '', target = ''] = line.split(' ')
  const path = signedPath ?? target.slice('/zstack'.length).split('?')[0]
  const date = dateIn(zone)
  const signature = createHmac('sha1', accessKeySecret).update(`${method}\n${date}\n${path}`).digest('base64')
  return [
    `${line} HTTP/1.1`,
    `authorization: ${authorization ?? `ZStack ${accessKeyId}:${signature}`}`,
    `date: ${date}`,
    `x-job-uuid: ${jobUuid ?? newUuid()}`,
    ...(contentType === undefined ? [] : [`content-type: ${contentType}`]),
    ...(body === undefined ? [] : [`content-length: ${Buffer.byteLength(body)}`]),
    ...more,
    `host: ${new URL(url).host}`,
    'user-agent: okhttp/3.12.0',
  ]
}

const bytesOf = (head: readonly string[], body = ''): string => `${head.join('\r\n')}\r\n\r\n${body}`

/** On a connection of its own, so that the end of the answer is the end of the connection. */
function send(sent: Sent, to: TestServer = server): Promise<Answer> {
  const head = [...headOf(sent, to), 'accept-encoding: gzip;q=0', 'connection: close']
  return rawBytes(to.url, bytesOf(head, sent.body))
}

const json = 'application/json; charset=utf-8'
const tag = (name: string, more: object = {}): string => JSON.stringify({ params: { name, ...more }, systemTags: [] })
const allOfThem = 'count=false&replyWithCount=true&limit=1000&start=0'
const inventories = ({ body }: Answer) => body.inventories as { uuid: string; name: string }[]

async function made(name: string): Promise<string> {
  const { status, body, text } = await send({ line: 'POST /zstack/v1/tags', contentType: json, body: tag(name) })
  assert.equal(status, 200, text)
  return (body.inventory as { uuid: string }).uuid
}

const spaces = await made('two words')
const other = await made('another')

const reads: { name: string; sent: Sent; finds?: readonly string[] }[] = [
  { name: 'a signed query with every option filled in', sent: { line: `GET /zstack/v1/hosts?${allOfThem}` } },
  ...['Etc/UTC', 'CST', 'UTC', 'Z'].map((zone) => ({
    name: `a date of the zone ${zone}`,
    sent: { line: 'GET /zstack/v1/hosts', zone },
  })),
  {
    name: 'a plus for a space in a list item',
    sent: { line: `GET /zstack/v1/tags?q=name%3Dtwo+words&${allOfThem}` },
    finds: ['two words'],
  },
  {
    name: 'an escaped plus before the field to sort by',
    sent: { line: `GET /zstack/v1/tags?sort=%2Bname&${allOfThem}` },
    finds: ['another', 'two words'],
  },
  {
    name: 'a bare plus there',
    sent: { line: `GET /zstack/v1/tags?sort=+name&${allOfThem}` },
    finds: ['another', 'two words'],
  },
  {
    name: 'a path variable and the session repeated in the query',
    sent: { line: `GET /zstack/v1/tags/${other}?uuid=${other}&sessionId=${'0'.repeat(32)}` },
    finds: ['another'],
  },
  {
    name: 'a signature over a path variable that travels escaped',
    sent: {
      line: `GET /zstack/v1/tags/%${other.charCodeAt(0).toString(16)}${other.slice(1)}`,
      signedPath: `/v1/tags/${other}`,
    },
    finds: ['another'],
  },
  {
    name: 'a session in place of a signature',
    sent: { line: 'GET /zstack/v1/hosts', authorization: `OAuth ${session}` },
  },
  {
    name: 'a JSON content type where there is no body',
    sent: { line: 'GET /zstack/v1/hosts', contentType: json },
  },
]

for (const { name, sent, finds } of reads)
  test(name, async () => {
    const answer = await send(sent)
    assert.equal(answer.status, 200, answer.text)
    assert.equal(answer.body.success, true)
    if (finds !== undefined)
      assert.deepEqual(
        inventories(answer).map((one) => one.name),
        finds,
      )
  })

test('True and False with a capital are booleans', async () => {
  await anotherNodeSees('far-away')
  const seen = async (flags: string): Promise<unknown[]> => {
    const answer = await send({ line: `GET /zstack/v1/mini-clusters/candidate-hosts?${flags}` })
    assert.equal(answer.status, 200, answer.text)
    return (answer.body.hosts as { hostName: string }[]).map(({ hostName }) => hostName)
  }
  assert.deepEqual(await seen('local=False&configure=False'), ['far-away'])
  assert.deepEqual(await seen('local=True&configure=False'), [], 'only what this node sees')
})

/** In the database, as a node beside this one would have written it. */
function anotherNodeSees(hostName: string): Promise<unknown> {
  return server.app.foundation.database.transaction(async (tx) => {
    const node = await tx.selectFrom('managementNodes').selectAll().executeTakeFirstOrThrow()
    const other = newUuid()
    await tx
      .insertInto('managementNodes')
      .values({ ...node, uuid: other })
      .execute()
    const candidate = JSON.stringify({ identity: hostName, hostName, addresses: [], nodeUuid: null })
    await tx
      .insertInto('candidateSightings')
      .values({ managementNodeUuid: other, identity: hostName, candidate })
      .execute()
  })
}

test('the address of the caller inside the structure, and fields that were never set', async () => {
  const body = tag('with extras', { requestIp: '10.1.2.3', sessionId: null, timeout: -1, color: null })
  const answer = await send({ line: 'POST /zstack/v1/tags', contentType: json, body })
  assert.equal(answer.status, 200, answer.text)
})

test('a DELETE with a JSON content type and no body, everything else in the query', async () => {
  const line = `DELETE /zstack/v1/tags/${spaces}?deleteMode=Permissive&uuid=${spaces}&sessionId=x`
  const answer = await send({ line, contentType: json })
  assert.equal(answer.status, 200, answer.text)
})

test('fields that a library adds to the headers, beside the structure and inside it', async () => {
  const added = { sessionId: 'x', accessKeyId: 'x', accessKeySecret: 'x', requestIp: '1.2.3.4' }
  const waiting = { timeout: 5, pollingInterval: 1 }
  const how = {
    authorization: `OAuth ${session}`,
    contentType: json,
    more: ['x-json-schema: true', 'x-request-ip: 1.2.3.4', 'x-session-id: x'],
  }
  const params = { name: 'library', ...added, ...waiting }
  const body = JSON.stringify({ params, systemTags: [], ...added, ...waiting })
  const created = await send({ line: 'POST /zstack/v1/tags', ...how, body })
  assert.equal(created.status, 200, created.text)
  const { uuid } = created.body.inventory as { uuid: string }
  const query = `uuid=${uuid}&deleteMode=Permissive&systemTags=uploadUrl::x&sessionId=x&timeout=5&requestIp=1`
  const line = `DELETE /zstack/v1/tags/${uuid}?${query}`
  const removed = await send({ line, ...how, body: JSON.stringify({ deleteMode: 'Permissive' }) })
  assert.equal(removed.status, 200, removed.text)
})

/** The location of a job without any session, until it is no longer 202. */
async function polled(location: unknown, meanwhile: () => void = () => {}, at = server): Promise<Answer> {
  const { pathname, search } = new URL(String(location))
  for (let poll = 0; poll < 400; poll++) {
    const answer = await send({ line: `GET ${pathname}${search}`, authorization: 'OAuth null' }, at)
    if (answer.status !== 202) return answer
    meanwhile()
    await delay(50)
  }
  return assert.fail('the job did not end')
}

const newHost = (sshPort: number): string =>
  JSON.stringify({ params: { name: 'far', driver: 'ssh', address: '127.0.0.1', sshPort, username: 'nobody' } })

test('a long call that fails: 202, and 503 at its location, where errors have no other status', async () => {
  const jobUuid = newUuid()
  const accepted = await send({ line: 'POST /zstack/v1/hosts', jobUuid, contentType: json, body: newHost(1) })
  assert.equal(accepted.status, 202, accepted.text)
  assert.equal(new URL(accepted.body.location as string).pathname, `/zstack/v1/api-jobs/${jobUuid}`)
  const ended = await polled(accepted.body.location)
  assert.equal(ended.status, 503, ended.text)
  assert.equal((ended.body.error as { code: string }).code, 'HOST.1000')
})

test('a long call that succeeds: 202, 202 while it runs, and 200 with the result', async (t) => {
  // one job at a time: the first waits for an SSH server that sends nothing, and the other for the first
  const busy = await TestServer.start(t, { environment, jobLimits: { maxRunning: 1 } })
  const silent = await silentPort(t)
  const body = newHost(silent.port)
  const first = send({ line: 'POST /zstack/v1/hosts', contentType: json, body, more: ['prefer: respond-async'] }, busy)
  assert.equal((await first).status, 202)
  const folder = mkdtempSync(join(tmpdir(), 'wharf-existing-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  const storage = JSON.stringify({ params: { name: 'kept', type: 'folder', url: `file://${folder}` }, systemTags: [] })
  const accepted = await send({ line: 'POST /zstack/v1/backup-storage', contentType: json, body: storage }, busy)
  assert.equal(accepted.status, 202, accepted.text)

  let pending = 0
  const ended = await polled(accepted.body.location, () => ++pending === 2 && silent.close(), busy)
  assert.equal(ended.status, 200, ended.text)
  assert.ok(pending >= 2)
  const { name, status } = ended.body.inventory as Record<string, unknown>
  assert.deepEqual([ended.body.success, name, status], [true, 'kept', 'Connected'])
})

async function silentPort(t: TestContext): Promise<{ port: number; close: () => void }> {
  const sockets = new Set<{ destroy(): void }>()
  const listening = createServer((socket) => void sockets.add(socket.on('error', () => {})))
  await new Promise<void>((resolve) => listening.listen(0, '127.0.0.1', resolve))
  const close = (): void => {
    listening.close()
    for (const socket of sockets) socket.destroy()
  }
  t.after(close)
  return { port: (listening.address() as { port: number }).port, close }
}

test('a call that is rejected immediately is read at its job as well', async () => {
  const jobUuid = newUuid()
  const line = `DELETE /zstack/v1/hosts/${'a'.repeat(32)}?deleteMode=Permissive`
  const answer = await send({ line, jobUuid, contentType: json })
  assert.equal(answer.status, 202, answer.text)
  const { pathname, search } = new URL(answer.body.location as string)
  const ended = await send({ line: `GET ${pathname}${search}`, authorization: 'OAuth null' })
  assert.equal(ended.status, 503, ended.text)
  assert.equal((ended.body.error as { code: string }).code, 'SYS.1003')
})

test('the addresses in the answers have the prefix of the platform', async () => {
  const installPath = '/tmp/wharf-existing-clients/p'
  const params = { name: 'p', type: 'tool', managementNodeUuid, hostUuid, url: 'upload://p.bin', installPath }
  const body = JSON.stringify({ params, systemTags: [] })
  const answer = await send({ line: 'POST /zstack/v1/software-packages/upload', contentType: json, body })
  assert.equal(answer.status, 200, answer.text)
  const [uploadUrl = ''] = answer.body.systemTags as string[]
  assert.ok(uploadUrl.startsWith(`uploadUrl::${server.url}/v1/uploads/`), uploadUrl)
})

test('one connection for several calls, and compressed responses', async () => {
  for (let index = 0; index < 15; index++) await made(`one of many ${index}`)
  const { port } = new URL(server.url)
  const socket = connect(Number(port), '127.0.0.1')
  const sent = { line: 'GET /zstack/v1/tags?q=name~=one+of+many%25' }
  const once = bytesOf([...headOf(sent, server), 'accept-encoding: gzip', 'connection: Keep-Alive'])
  const last = bytesOf([...headOf(sent, server), 'accept-encoding: gzip', 'connection: close'])
  socket.write(once + last)
  const bytes = await buffer(socket)
  const answers = bytes.toString('latin1').split(/(?=HTTP\/1\.1 )/)
  assert.equal(answers.length, 2)
  for (const answer of answers) {
    assert.match(answer, /^HTTP\/1\.1 200 /)
    assert.match(answer, /^content-encoding: gzip\r$/m)
    const packed = Buffer.from(answer.slice(answer.indexOf('\r\n\r\n') + 4), 'latin1')
    assert.equal(JSON.parse(gunzipSync(packed).toString()).inventories.length, 15)
  }
})
