import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { after, test } from 'node:test'
import { type Answer, rawBytes, TestServer } from '@wharf/testkit'
import { newUuid } from '../platform/ids.ts'

/**
 * What client libraries of platforms with this interface put on the wire, byte by byte: they hard-code their prefix and
 * their scheme word, and nobody can change them. Each row below is one habit of theirs that the server has to live with.
 */
const server = await TestServer.start(
  { after },
  { environment: { WHARF_BASE_PATH: '/zstack', WHARF_AUTH_SCHEMES: 'Service,ZStack' } },
)
const { bootstrap } = server
const { accessKeyId, accessKeySecret, hostUuid, managementNodeUuid } = bootstrap
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
  body?: string
}

/** Their clocks name a zone after a local time: the same second, an offset away. */
function dateIn(zone: string): string {
  const hours = zone === 'CST' ? 8 : 0
  return new Date(Date.now() + hours * 3_600_000).toUTCString().replace('GMT', zone)
}

/** Header names in lower case and in their order, a job's uuid on every call, keep-alive asked for and then closed. */
function send({ line, signedPath, zone = 'GMT', authorization, jobUuid, contentType, body }: Sent): Promise<Answer> {
  const [method = '', target = ''] = line.split(' ')
  const path = signedPath ?? target.slice('/zstack'.length).split('?')[0]
  const date = dateIn(zone)
  const signature = createHmac('sha1', accessKeySecret).update(`${method}\n${date}\n${path}`).digest('base64')
  const head = [
    `${line} HTTP/1.1`,
    `authorization: ${authorization ?? `ZStack ${accessKeyId}:${signature}`}`,
    `date: ${date}`,
    `x-job-uuid: ${jobUuid ?? newUuid()}`,
    ...(contentType === undefined ? [] : [`content-type: ${contentType}`]),
    ...(body === undefined ? [] : [`content-length: ${Buffer.byteLength(body)}`]),
    `host: ${new URL(server.url).host}`,
    'accept-encoding: gzip;q=0',
    'user-agent: okhttp/3.12.0',
    'connection: close',
  ]
  return rawBytes(server.url, `${head.join('\r\n')}\r\n\r\n${body ?? ''}`)
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

const blanks = await made('two words')
const other = await made('another')

const reads: { name: string; sent: Sent; finds?: readonly string[] }[] = [
  { name: 'a signed query with every option filled in', sent: { line: `GET /zstack/v1/hosts?${allOfThem}` } },
  ...['Etc/UTC', 'CST', 'UTC', 'Z'].map((zone) => ({
    name: `a date of the zone ${zone}`,
    sent: { line: 'GET /zstack/v1/hosts', zone },
  })),
  {
    name: 'a plus for a blank in a list item',
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
    name: 'True with a capital',
    sent: { line: 'GET /zstack/v1/mini-clusters/candidate-hosts?local=True&configure=False' },
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

test('the address of the caller inside the structure, and fields that were never set', async () => {
  const body = tag('with extras', { requestIp: '10.1.2.3', sessionId: null, timeout: -1, color: null })
  const answer = await send({ line: 'POST /zstack/v1/tags', contentType: json, body })
  assert.equal(answer.status, 200, answer.text)
})

test('a DELETE with a JSON content type and no body, everything else in the query', async () => {
  const line = `DELETE /zstack/v1/tags/${blanks}?deleteMode=Permissive&uuid=${blanks}&sessionId=x`
  const answer = await send({ line, contentType: json })
  assert.equal(answer.status, 200, answer.text)
})

test('a long call: 202, then its location polled with no session at all', async () => {
  const jobUuid = newUuid()
  const body = JSON.stringify({
    params: { name: 'far', driver: 'ssh', address: '127.0.0.1', sshPort: 1, username: 'nobody' },
  })
  const refused = await send({ line: 'POST /zstack/v1/hosts', jobUuid, contentType: json, body })
  assert.equal(refused.status, 202, refused.text)
  const { pathname, search } = new URL(refused.body.location as string)
  assert.equal(pathname, `/zstack/v1/api-jobs/${jobUuid}`)
  // it polls until it is no longer 202: an error is 503 there, and nowhere else
  for (let poll = 0; poll < 100; poll++) {
    const answer = await send({ line: `GET ${pathname}${search}`, authorization: 'OAuth null' })
    if (answer.status === 202) continue
    assert.equal(answer.status, 503, answer.text)
    assert.equal((answer.body.error as { code: string }).code, 'HOST.1000')
    return
  }
  assert.fail('the job did not end')
})

test('a call that is refused at once is read at its job as well', async () => {
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
