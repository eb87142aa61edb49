import assert from 'node:assert/strict'
import { createHmac, hash } from 'node:crypto'
import { connect } from 'node:net'
import { after, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { gunzipSync } from 'node:zlib'
import { newUuid } from '@wharf/platform/ids.ts'
import { TestServer } from '@wharf/testkit'

/**
 * What three families of client libraries put on the wire, byte by byte, and how each reads what comes back. One setting
 * is enough for all of them. What single habits of theirs do is in client-habits.slow.test.ts.
 */
const server = await TestServer.start({ after }, { environment: { WHARF_COMPATIBILITY: 'zstack' } })
const { accessKeyId, accessKeySecret, password, hostUuid, managementNodeUuid } = server.bootstrap
const host = new URL(server.url).host
const chat = await server.admin.post('/v1/sns/application-endpoints/chatapp', {
  params: { name: 'chat', type: 'Slack', url: 'https://chat.example/hook' },
})
const endpointUuid = (chat.body.inventory as { uuid: string }).uuid

type Json = Record<string, unknown>

interface Answer {
  readonly status: number
  readonly body: Json
}

/** On a connection of its own, read by its length, since two of the families keep theirs open. */
async function exchange(head: readonly string[], body = ''): Promise<Answer> {
  const received = await new Promise<Buffer>((resolve, reject) => {
    const socket = connect(Number(new URL(server.url).port), '127.0.0.1')
    let bytes = Buffer.alloc(0)
    socket.setTimeout(20_000, () => socket.destroy(new Error('no answer')))
    socket.on('error', reject)
    socket.on('data', (chunk: Buffer) => {
      bytes = Buffer.concat([bytes, chunk])
      const end = bytes.indexOf('\r\n\r\n')
      const length = /\r\ncontent-length: (\d+)\r\n/i.exec(bytes.subarray(0, end + 2).toString())?.[1]
      if (end < 0 || length === undefined || bytes.length < end + 4 + Number(length)) return
      socket.destroy()
      resolve(bytes)
    })
    socket.write(`${head.join('\r\n')}\r\n\r\n${body}`)
  })
  const end = received.indexOf('\r\n\r\n')
  const answered = received.subarray(0, end).toString()
  const sent = received.subarray(end + 4)
  const text = /content-encoding: gzip/i.test(answered) ? gunzipSync(sent) : sent
  return { status: Number(answered.split(' ')[1]), body: JSON.parse(text.toString()) as Json }
}

/** One call of the interface, as the caller of any library makes it. */
interface Action {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** With the names of its variables, as the libraries have it. */
  readonly path: string
  readonly structure?: string
  /** Of the path, of the structure or of the query. */
  readonly fields?: Json
  /** Login needs none; some calls are not polled by those who poll. */
  readonly needs?: { readonly session?: false; readonly poll?: false }
}

/** What a library gives its caller. */
interface Result {
  readonly value?: Json
  readonly error?: { readonly code: string; readonly details: string }
}

interface Library {
  call(action: Action): Promise<Result>
}

const pathOf = ({ path, fields = {} }: Action): string => path.replace(/\{(\w+)\}/g, (_, name) => String(fields[name]))
const variablesOf = ({ path }: Action): string[] => [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)
const withoutVariables = (action: Action): Json =>
  Object.fromEntries(Object.entries(action.fields ?? {}).filter(([name]) => !variablesOf(action).includes(name)))
const isGetOrDelete = ({ method }: Action): boolean => method === 'GET' || method === 'DELETE'
const signature = (method: string, date: string, path: string): string =>
  createHmac('sha1', accessKeySecret).update(`${method}\n${date}\n${path}`).digest('base64')

/** Polls `location` and reads typed lists by `schema`; a 202 to a call that it does not poll is an error to it. */
class JavaLibrary implements Library {
  session = 'null'

  async call(action: Action): Promise<Result> {
    const isQuery = isGetOrDelete(action)
    const values = Object.entries(withoutVariables(action)).flatMap(([name, value]) =>
      (Array.isArray(value) ? value : [value]).map((one): [string, string] => [name, String(one)]),
    )
    const query = isQuery && values.length > 0 ? `?${new URLSearchParams(values)}` : ''
    const body = isQuery ? '' : JSON.stringify({ [action.structure ?? '']: withoutVariables(action) })
    const answer = await exchange(
      [
        `${action.method} /zstack/v1${pathOf(action)}${query} HTTP/1.1`,
        `X-Job-UUID: ${newUuid()}`,
        'X-JSON-Schema: true',
        ...(action.needs?.session === false ? [] : [`Authorization: OAuth ${this.session}`]),
        ...(isQuery ? [] : ['Content-Type: application/json; charset=utf-8']),
        ...(action.method === 'GET' ? [] : [`Content-Length: ${Buffer.byteLength(body)}`]),
        ...this.#common,
      ],
      body,
    )
    if (answer.status === 202) {
      assert.notEqual(action.needs?.poll, false, 'this library does not poll such a call')
      return this.#poll(String(answer.body.location))
    }
    assert.ok(answer.status < 300, JSON.stringify(answer))
    // its callback never ends on 200 where it expects to poll
    assert.ok(action.method === 'GET' || action.needs?.poll === false, `${action.path} answered ${answer.status}`)
    return this.#typed(answer.body)
  }

  async #poll(location: string): Promise<Result> {
    assert.ok(location.includes(host), location)
    const { pathname, search } = new URL(location)
    for (let attempt = 0; attempt < 200; attempt++) {
      const { status, body } = await exchange([
        `GET ${pathname}${search} HTTP/1.1`,
        `Authorization: OAuth ${this.session}`,
        'X-JSON-Schema: true',
        ...this.#common,
      ])
      if (status === 200) return this.#typed(body)
      if (status === 503) return { error: body.error as Exclude<Result['error'], undefined> }
      assert.equal(status, 202)
      await delay(50)
    }
    return assert.fail('the job did not end')
  }

  /** A list has records of its type only where `schema` names it; without, they would be plain maps. */
  #typed(body: Json): Result {
    const { schema, ...value } = body as Json & { schema?: Record<string, string> }
    for (const [path, type] of Object.entries(schema ?? {})) {
      const record = path
        .split(/[.[\]]+/)
        .filter((part) => part !== '')
        .reduce<unknown>((inner, part) => (inner as Json)[part], value) as Json
      assert.ok(record !== null && typeof record === 'object', `${path} of ${JSON.stringify(body)}`)
      Object.defineProperty(record, 'type of it', { value: type })
    }
    return { value }
  }

  readonly #common = [`Host: ${host}`, 'Connection: Keep-Alive', 'Accept-Encoding: gzip', 'User-Agent: okhttp/3.12.0']
}

/** Signs with the zone of its clock, sends what was never set as empty strings, and reads `error` only when it is alone. */
class GoLibrary implements Library {
  async call(action: Action): Promise<Result> {
    const path = `/v1${pathOf(action)}`
    const fields = withoutVariables(action)
    const mode = action.method === 'DELETE' ? [['deleteMode', '']] : []
    const pairs = action.method === 'GET' ? Object.entries(fields) : mode
    const values = pairs.flatMap(([name = '', value]) =>
      [value].flat().map((one): [string, string] => [String(name), String(one)]),
    )
    const query = new URLSearchParams(values).toString()
    const body = isGetOrDelete(action)
      ? ''
      : JSON.stringify({ [action.structure ?? '']: { ...fields, ...unset(action) }, systemTags: [], userTags: [] })
    const date = new Date(Date.now() + 3_600_000).toUTCString().replace('GMT', 'CET')
    const signed = `ZStack ${accessKeyId}:${signature(action.method, date, path)}`
    const headers = [
      'Accept: */*',
      'Accept-Encoding: *',
      ...(action.needs?.session === false ? [] : [`Authorization: ${signed}`]),
      'Content-Type: application/json; charset=utf-8',
      `Date: ${date}`,
    ]
    const head = [`Host: ${host}`, 'User-Agent: zstack-sdk-go/202206']
    const length = isGetOrDelete(action) ? [] : [`Content-Length: ${Buffer.byteLength(body)}`]
    const line = `${action.method} /zstack${path}${query === '' ? '' : `?${query}`} HTTP/1.1`
    const answer = await exchange([line, ...head, ...length, ...headers], body)
    const { location } = answer.body
    if (location === undefined) return this.#read(answer)
    const { pathname, search } = new URL(String(location))
    for (let attempt = 0; attempt < 200; attempt++) {
      // with the headers of the call itself, whose signature is for another path
      const polled = await exchange([`GET ${pathname}${search} HTTP/1.1`, ...head, ...headers])
      if (polled.status !== 202) return this.#read(polled)
      await delay(50)
    }
    return assert.fail('the job did not end')
  }

  #read({ status, body }: Answer): Result {
    if (status < 300) return { value: body }
    const [only] = Object.values(body)
    const failure = (Object.keys(body).length === 1 ? only : body) as Json
    return { error: { code: String(failure.code ?? ''), details: String(failure.details ?? '') } }
  }
}

/** Optional fields of the interface that a structure of this library has whether they were set or not. */
function unset({ path }: Action): Json {
  if (path === '/cluster-plugin') return { adminToken: '', managementIp: '', resourceUuid: '' }
  if (path.startsWith('/software-packages')) return { resourceUuid: '' }
  if (path.endsWith('/at-persons')) return { remark: '', resourceUuid: '' }
  if (path.includes('/install/')) return { config: '' }
  return {}
}

/** Repeats every path variable in the structure or in the query, escapes nothing, and writes local time as CST. */
class PythonLibrary implements Library {
  async call(action: Action): Promise<Result> {
    const { fields = {} } = action
    const query = isGetOrDelete(action)
      ? `?${Object.entries(fields)
          .flatMap(([name, value]) => [value].flat().map((one) => `${name}=${pythonText(one)}`))
          .join('&')}`
      : ''
    const body = isGetOrDelete(action) ? '' : pythonJson({ [action.structure ?? '']: fields })
    const path = `/v1${pathOf(action)}`
    const date = new Date(Date.now() + 8 * 3_600_000).toUTCString().replace('GMT', 'CST')
    const answer = await exchange(
      [
        `${action.method} /zstack${path}${query} HTTP/1.1`,
        `Host: ${host}`,
        'Accept-Encoding: identity',
        `X-Job-UUID: ${newUuid()}`,
        ...(action.needs?.session === false
          ? []
          : [`Date: ${date}`, `Authorization: ZStack ${accessKeyId}:${signature(action.method, date, path)}`]),
        'Content-Type: application/json',
        'Connection: close',
        ...(body === '' ? [] : [`Content-Length: ${Buffer.byteLength(body)}`]),
      ],
      body,
    )
    if (answer.status === 200) return { value: answer.body }
    assert.equal(answer.status, 202, JSON.stringify(answer))
    assert.notEqual(action.needs?.poll, false, 'this library does not poll such a call')
    const { pathname, search } = new URL(String(answer.body.location))
    for (let attempt = 0; attempt < 200; attempt++) {
      const { status, body: polled } = await exchange([
        `GET ${pathname}${search} HTTP/1.1`,
        `Host: ${host}`,
        'Accept-Encoding: identity',
        'Authorization: OAuth None',
        'Content-Type: application/json',
        'Connection: close',
      ])
      if (status === 200) return { value: polled }
      if (status === 503) return { error: polled.error as Exclude<Result['error'], undefined> }
      assert.equal(status, 202)
      await delay(50)
    }
    return assert.fail('the job did not end')
  }
}

const pythonText = (value: unknown): string => (value === true ? 'True' : value === false ? 'False' : String(value))
/** Blanks after commas and colons. */
const pythonJson = (value: unknown): string =>
  JSON.stringify(value, null, 1)
    .replaceAll(/\n\s*/g, ' ')
    .replaceAll(/([{[]) | ([}\]])/g, '$1$2')

const inventory = ({ value, error }: Result): Json => {
  assert.ok(value !== undefined, JSON.stringify(error))
  return value.inventory as Json
}
const listOf = ({ value, error }: Result, name = 'inventories'): Json[] => {
  assert.ok(Array.isArray(value?.[name]), JSON.stringify(error ?? value))
  return value?.[name] as Json[]
}

/** Login, then the fourteen operations of the interface, a delete, and logout. */
async function everything(name: string, library: Library, opened: (session: string) => void = () => {}): Promise<void> {
  const failing = async (action: Action, code: string, details: string): Promise<void> => {
    const { error } = await library.call(action)
    assert.equal(error?.code, code, JSON.stringify(error))
    assert.ok(error?.details.includes(details), error?.details)
  }
  /** What `schema` must declare about it to the family that reads by it. */
  const isTyped = (record: unknown, type: string): void => {
    if (library instanceof JavaLibrary) assert.equal((record as Json)['type of it'], type)
  }
  const direct = { session: false, poll: false } as const

  const login = { accountName: 'admin', password: hash('sha512', password, 'hex') }
  const path = '/accounts/login'
  const session = inventory(
    await library.call({ method: 'PUT', path, structure: 'logInByAccount', fields: login, needs: direct }),
  )
  opened(String(session.uuid))

  // 4, 6 and 3: a cluster plugin, its alert platform and its configuration
  const plugin = inventory(
    await library.call({
      method: 'POST',
      path: '/cluster-plugin',
      structure: 'params',
      fields: { name: `${name} cluster` },
    }),
  )
  assert.equal(plugin.name, `${name} cluster`)
  isTyped(plugin, 'ClusterPluginInventory')
  const { uuid } = plugin
  const platform = await library.call({
    method: 'POST',
    path: '/cluster-plugin/{uuid}/alert-platform',
    structure: 'params',
    fields: { uuid },
  })
  assert.equal(inventory(platform).clusterUuid, uuid)
  isTyped(platform.value?.thirdPartyPlatform, 'org.zstack.zwatch.thirdparty.entity.ThirdpartyPlatformInventory')
  const network = '127.0.0.0/8'
  const networks = { managementNetworkCidr: network, publicNetworkCidr: network, clusterNetworkCidr: network }
  const configuration = { uuid, ...networks, otherManagementIp: ['127.0.0.2', '127.0.0.3'] }
  await failing(
    {
      method: 'PUT',
      path: '/cluster-plugin/config/cluster',
      structure: 'updateClusterConfig',
      fields: { ...configuration, softwarePackageUuid: 'f'.repeat(32) },
    },
    'SYS.1003',
    'f'.repeat(32),
  )

  // 5, 8, 1, 9 and 10: software packages
  const sent = { name: `${name} package`, type: 'tool', url: 'upload://p.tar', installPath: `/tmp/wharf-${name}/p` }
  const uploaded = await library.call({
    method: 'POST',
    path: '/software-packages/upload',
    structure: 'params',
    fields: { ...sent, managementNodeUuid, hostUuid },
  })
  const { uuid: packageUuid, status } = inventory(uploaded)
  assert.equal(status, 'Uploading')
  isTyped(uploaded.value?.inventory, 'org.zstack.softwarePackage.header.SoftwarePackageInventory')
  assert.ok(JSON.stringify(uploaded.value?.systemTags).includes(`uploadUrl::${server.url}/v1/uploads/`))
  const kept = await library.call({
    method: 'POST',
    path: '/software-packages/backup-storage/upload',
    structure: 'params',
    fields: { ...sent, installPath: `${name}/p` },
  })
  assert.equal(inventory(kept).status, 'Uploading')
  const q = [`name=${name}%20package`.replace('%20', library instanceof PythonLibrary ? '%20' : ' '), 'type=tool']
  const found = listOf(
    await library.call({ method: 'GET', path: '/software-package', fields: { q, count: false, limit: 10 } }),
  )
  assert.equal(found.length, 2)
  for (const one of found) isTyped(one, 'org.zstack.softwarePackage.header.SoftwarePackageInventory')
  const get: Action = { method: 'GET', path: '/software-package/{uuid}', fields: { uuid: packageUuid } }
  assert.deepEqual(
    listOf(await library.call(get)).map((one) => one.uuid),
    [packageUuid],
  )
  assert.deepEqual(listOf(await library.call({ ...get, fields: { uuid: 'f'.repeat(32) } })), [])
  const directory = { managementNodeUuid, directoryPath: '/tmp' }
  const usage = await library.call({ method: 'GET', path: '/software-package/directory/usage', fields: directory })
  assert.ok(Number(usage.value?.totalCapacity) > 0)
  await failing(
    {
      method: 'PUT',
      path: '/software-package/install/{uuid}/actions',
      structure: 'installSoftwarePackage',
      fields: { uuid: packageUuid },
    },
    'SYS.1005',
    'Uploading',
  )

  // 11, 2, 12, 13 and 14
  const person = { userId: `U-${name}`, endpointUuid }
  const added = await library.call({
    method: 'POST',
    path: '/sns/application-endpoints/chatapp/at-persons',
    structure: 'params',
    fields: person,
  })
  assert.equal(inventory(added).userId, person.userId)
  isTyped(added.value?.inventory, 'SNSChatAppAtPersonInventory')
  const candidates = { local: true, configure: false }
  listOf(await library.call({ method: 'GET', path: '/mini-clusters/candidate-hosts', fields: candidates }), 'hosts')
  const elaborations = { category: 'SYS', code: '1001' }
  const explained = await library.call({ method: 'GET', path: '/errorcode/elaborations', fields: elaborations })
  const [content] = listOf(explained, 'contents')
  assert.equal(content?.code, '1001')
  isTyped(content, 'org.zstack.core.errorcode.ElaborationContent')
  assert.deepEqual((await library.call({ method: 'GET', path: '/migrate/images' })).value?.images, {})
  listOf(await library.call({ method: 'GET', path: '/migrate/vm-instances' }), 'gatewayVmInstances')

  // 7, an elaboration check, which is not polled, and logout
  const removal: Action = { method: 'DELETE', path: '/cluster-plugin/{uuid}', fields: { uuid } }
  assert.deepEqual((await library.call(removal)).value, {})
  await failing(removal, 'SYS.1003', String(uuid))
  const check: Action = {
    method: 'POST',
    path: '/errorcode/elaborations/check',
    structure: 'params',
    fields: { elaborateContent: '[]' },
    needs: { poll: false },
  }
  assert.deepEqual((await library.call(check)).value?.results, [])
  const end: Action = {
    method: 'DELETE',
    path: '/accounts/sessions/{sessionUuid}',
    fields: { sessionUuid: session.uuid },
    needs: direct,
  }
  assert.equal((await library.call(end)).value?.success, true)
  const { body } = await server.anonymous.get(`/v1/accounts/sessions/${session.uuid}/valid`)
  assert.equal(body.valid, false)
}

test('a library that polls the location and reads typed lists by the schema', async () => {
  const library = new JavaLibrary()
  await everything('java', library, (session) => {
    library.session = session
  })
})

test('a library that reads the error only when it is alone', () => everything('go', new GoLibrary()))

test('a library that repeats every path variable and sends local time as CST', () =>
  everything('python', new PythonLibrary()))
