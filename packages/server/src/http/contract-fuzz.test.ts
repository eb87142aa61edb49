import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { Agent, type IncomingHttpHeaders, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { type ErrorCode, errorCatalogue, type Operation, openapi, operations } from '@wharf/contract'
import { demoOperations, TestServer } from '@wharf/testkit'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import fc from 'fast-check'
import { IsOptional } from 'typebox'

/**
 * Every operation under input that is almost right, and input that is not. The caller is an admin of its own, and only
 * records that were made to be changed are named, so that no run can saw off the branch it sits on.
 */

const runsPerOperation = process.env.TEST_LONG ? 2000 : 40
/** What removes comes last, and accounts take most along: so the others find something. */
const order = ({ name, method }: Operation): number => (name === 'DeleteAccount' ? 2 : method === 'DELETE' ? 1 : 0)
/** As a query carries it. An object may have a toString of its own making, so String will not do. */
const asText = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))

const served = operations.toSorted((a, b) => order(a) - order(b))

const folder = mkdtempSync(join(tmpdir(), 'wharf-fuzz-'))
after(() => rmSync(folder, { recursive: true }))
const server = await TestServer.start({ after }, { extend: demoOperations })
const caller = await server.signIn('admin')
const agent = new Agent({ keepAlive: true })
after(() => agent.destroy())

// Records that anything may happen to

const newUuid = (): string => randomBytes(16).toString('hex')
const created = async (path: string, params: object): Promise<string> =>
  ((await server.admin.post(path, { params })).body.inventory as { uuid: string }).uuid
const existing = async (path: string): Promise<string[]> =>
  ((await server.admin.get(`/v1/${path}`)).body.inventories as { uuid: string }[]).map(({ uuid }) => uuid)

/** By the collection they are in. */
const known: Record<string, string[]> = {
  accounts: [],
  users: [],
  accesskeys: [],
  tags: [],
  'api-jobs': [],
  hosts: await existing('hosts'),
  'backup-storage': await existing('backup-storage'),
  'management-nodes': await existing('management-nodes'),
}
for (let n = 0; n < 15; n++) {
  const account = await created('/v1/accounts', { name: `account ${n}`, password: 'p', role: 'operator' })
  const user = await created('/v1/users', { accountUuid: account, name: `user ${n}`, password: 'p' })
  known.accounts?.push(account)
  known.users?.push(user)
  known.accesskeys?.push(await created('/v1/accesskeys', { accountUuid: account, userUuid: account }))
  known.tags?.push(await created('/v1/tags', { name: `tag ${n}`, userTags: ['u'], systemTags: ['uploadUrl::x'] }))
}
for (const params of [{ script: JSON.stringify({ trace: join(folder, 'trace') }) }, {}]) {
  const uuid = newUuid()
  await server.admin.post('/v1/demo-jobs', { params }, { 'x-job-uuid': uuid })
  known['api-jobs']?.push(uuid)
}
known['user-tags'] = await existing('user-tags')
known['system-tags'] = await existing('system-tags')

// What is sent: careful calls, that get as far as they can, and wild ones

type Schema = Record<string, unknown>
type Mood = 'careful' | 'wild'
interface Sent {
  path: string
  query: string
  type: string
  body: string | undefined
}

const oddNames = ['__proto__', 'constructor', 'toString', 'uuid', 'params', 'sessionId', 'systemTags', '', 'a.0', '码']
const oddTexts = [
  '',
  ' ',
  '\0',
  '\ud800',
  '\n',
  "'; drop table tags; --",
  '%',
  '\\',
  '{}',
  'null',
  'x'.repeat(3000),
  '٣',
]
const oddParts = ['.', '..', '%2F', '%00', '%zz', '%E4', '', ';', '*', 'a'.repeat(1500), 'login', '%20', "'", '%5C']
const oddQueries = ['%', '&&=', 'q=%zz', 'limit=0x10', 'q=%00', 'a[b]=c', 'limit=1&limit=2', 'filterName=x']

const oddText = fc.oneof(fc.string({ unit: 'binary', maxLength: 40 }), fc.constantFrom(...oddTexts))
const plainText = fc.string({ unit: 'grapheme', minLength: 10, maxLength: 20 }).filter((text) => !/\p{Cc}/u.test(text))
const keyWord = fc.stringMatching(/^[!-9;-~]{10,20}$/)
const colour = fc.constantFrom('#00ff00', 'teal')
/** Of a machine. Whatever could be the name of one would be called. */
const undialled = fc.oneof(oddText, plainText).map((text) => `nowhere to be found ${text}`)
const freshUuid = fc.constant('').map(newUuid)
const oneOf = (collection: string): fc.Arbitrary<string> =>
  fc.constantFrom(...(known[collection] ?? []), 'a'.repeat(32))

const collectionOf: Record<string, string> = { accountUuid: 'accounts', userUuid: 'accounts' }

function fitting(name: string, schema: Schema, mood: Mood): fc.Arbitrary<unknown> {
  if (Array.isArray(schema.enum)) return fc.constantFrom(...schema.enum)
  if (schema.type === 'boolean') return fc.boolean()
  if (schema.type === 'integer') return mood === 'wild' ? fc.maxSafeInteger() : fc.integer({ min: 1, max: 20 })
  if (schema.type === 'array') return fc.array(valueFor(name, schema.items as Schema, mood), { maxLength: 4 })
  if (name in collectionOf) return oneOf(collectionOf[name] ?? '')
  if (name.endsWith('Uuid')) return freshUuid
  if (name === 'address') return undialled
  if (mood === 'wild') return oddText
  return name.startsWith('AccessKey') ? keyWord : name === 'color' ? colour : plainText
}

const valueFor = (name: string, schema: Schema, mood: Mood): fc.Arbitrary<unknown> =>
  mood === 'careful' || name === 'address'
    ? fitting(name, schema, mood)
    : fc.oneof({ weight: 4, arbitrary: fitting(name, schema, mood) }, { weight: 1, arbitrary: fc.jsonValue() })

function fieldsOf({ fields }: Operation, mood: Mood): fc.Arbitrary<object> {
  const entries = Object.entries(fields)
  const model = Object.fromEntries(entries.map(([name, schema]) => [name, valueFor(name, schema as Schema, mood)]))
  const required = entries.filter(([, schema]) => !IsOptional(schema)).map(([name]) => name)
  return fc.record(model, { requiredKeys: mood === 'careful' ? required : [] })
}

function bodyOf(operation: Operation, mood: Mood): fc.Arbitrary<string | undefined> {
  const { structure } = operation
  const inside = (inner: object): object => (structure === undefined ? inner : { [structure]: inner })
  const fields = fieldsOf(operation, mood)
  if (mood === 'careful') return fields.map((inner) => JSON.stringify(inside(inner)))
  const odd = fc.dictionary(fc.oneof(fc.constantFrom(...oddNames), oddText), fc.jsonValue(), { maxKeys: 2 })
  return fc.oneof(
    fc
      .tuple(fields, odd, odd)
      .map(([inner, within, beside]) => JSON.stringify({ ...beside, ...inside({ ...inner, ...within }) })),
    fields.map((inner) => JSON.stringify(inside(inner))),
    fc.json(),
    oddText,
    fc.constant(undefined),
  )
}

const operators = ['=', '!=', '>', '>=', '<', '<=', '?=', '!?=', '~=', '!~=', ' is null', ' not null']

/** A pair of the query: what the operation declares, with names of fields where names belong. */
function pairsOf({ fields, queries }: Operation, mood: Mood): fc.Arbitrary<[string, string]>[] {
  const names = Object.entries(queries?.schema.properties ?? {}).filter(([, schema]) => !('writeOnly' in schema))
  const asked = fc.constantFrom(
    ...(mood === 'wild' ? [...oddNames, 'AccessKeySecret'] : names.map(([name]) => name)),
    '__userTag__',
  )
  const own = asked.filter((name) => mood === 'wild' || !name.startsWith('__'))
  const values: Record<string, fc.Arbitrary<string>> = {
    q: fc
      .tuple(asked, fc.constantFrom(...operators), mood === 'wild' ? oddText : fc.constant('Nov 5, 2026 1:02:03 AM'))
      .map((parts) => parts.join('')),
    sort: fc.tuple(fc.constantFrom('+', '-', '', ' '), own).map((parts) => parts.join('')),
    fields: fc.array(own, { minLength: 1, maxLength: 3 }).map((list) => list.join(',')),
  }
  return Object.entries(fields).map(([name, schema]) =>
    fc.tuple(fc.constant(name), values[name] ?? valueFor(name, schema as Schema, mood).map(asText)),
  )
}

function queryOf(operation: Operation, mood: Mood): fc.Arbitrary<string> {
  const odd = fc.tuple(fc.oneof(fc.constantFrom(...oddNames), oddText), oddText)
  const isGet = operation.method === 'GET'
  const declared = isGet ? pairsOf(operation, mood) : []
  const pairs = [...declared, ...(mood === 'wild' ? [odd] : [])]
  if (pairs.length === 0) return fc.constant('')
  const query = fc
    .uniqueArray(fc.oneof(...pairs), { maxLength: isGet ? 4 : 1, selector: ([name]) => (name === 'q' ? {} : name) })
    .map((list) => new URLSearchParams(list).toString())
  return mood === 'careful' ? query : fc.oneof({ weight: 4, arbitrary: query }, fc.constantFrom(...oddQueries))
}

function pathOf({ path }: Operation, mood: Mood): fc.Arbitrary<string> {
  const collection = path.split('/')[2] ?? ''
  const odd = fc.oneof(
    oddText.map((part) => encodeURIComponent(part.toWellFormed())),
    fc.constantFrom(...oddParts),
  )
  const part =
    mood === 'careful' ? oneOf(path.includes('sessions') ? 'sessions' : collection) : fc.oneof(oneOf(collection), odd)
  // an empty one is another path
  return part.filter((value) => value !== '').map((value) => path.replace('{uuid}', value))
}

function callOf(operation: Operation): fc.Arbitrary<Sent> {
  const inMood = (mood: Mood): fc.Arbitrary<Sent> =>
    fc.record({
      path: pathOf(operation, mood),
      query: queryOf(operation, mood),
      type: fc.constantFrom(
        json,
        ...(mood === 'wild' ? [json, json, json, 'text/plain', 'x', 'application/json; charset=x'] : []),
      ),
      body: operation.method === 'GET' ? fc.constant(undefined) : bodyOf(operation, mood),
    })
  return fc.oneof(inMood('careful'), inMood('wild'))
}

const json = 'application/json;charset=UTF-8'

interface Received {
  status: number
  headers: IncomingHttpHeaders
  text: string
}

const send = ({ method }: Operation, { path, query, type, body }: Sent): Promise<Received> =>
  new Promise((resolve, reject) => {
    const { port } = new URL(server.url)
    const bytes = body === undefined ? undefined : Buffer.from(body)
    const headers = {
      ...caller.authorization(method, path),
      'content-type': type,
      'content-length': bytes?.length ?? 0,
    }
    const call = request(
      { port, agent, method, path: query === '' ? path : `${path}?${query}`, headers },
      (response) => {
        const { statusCode: status = 0, headers } = response
        // this one does not end by itself
        if (headers['content-type']?.startsWith('text/event-stream')) {
          response.destroy()
          resolve({ status, headers, text: '' })
          return
        }
        const chunks: Buffer[] = []
        response.on('data', (chunk: Buffer) => chunks.push(chunk))
        response.on('end', () => resolve({ status, headers, text: Buffer.concat(chunks).toString() }))
        response.on('error', reject)
      },
    )
    call.on('error', reject)
    call.end(bytes)
  })

// What may come back

interface Document {
  paths: Record<string, Record<string, { responses: Record<string, unknown>; 'x-errors': string[] }>>
  components: { schemas: object; responses: Record<string, unknown> }
}
const document = openapi({ served: () => true }) as Document
const ajv = new Ajv2020({ strict: false, formats: { int64: true, uri: true } })
const validators = new Map<string, ValidateFunction>()

function validatorOf(response: unknown, name: string): ValidateFunction {
  const { content } = response as { content: Record<string, { schema: object }> }
  const schema = { ...content['application/json']?.schema, components: document.components }
  const validate = validators.get(name) ?? ajv.compile(schema)
  validators.set(name, validate)
  return validate
}

function assertDeclared(operation: Operation, { status, headers, text: body }: Received): void {
  const declared = document.paths[operation.path]?.[operation.method.toLowerCase()]
  assert.ok(declared)
  assert.match(String(headers['x-request-id']), /^[0-9a-f]{32}$/)
  const isFailedJob = operation.name === 'GetApiJob' && status === 503 && headers['x-job-success'] === 'false'
  assert.ok(status < 500 || isFailedJob, `${status} ${body}`)
  if (status < 300 && !headers['content-type']?.startsWith('application/json')) {
    assert.equal(operation.mode, 'stream')
    return
  }
  assert.equal(headers['content-type'], 'application/json;charset=UTF-8')
  const answer = JSON.parse(body) as Record<string, unknown>
  const isFailure = status >= 400
  const response = isFailure ? document.components.responses.Failure : declared.responses[status]
  assert.ok(response, `${status} is not declared`)
  const validate = validatorOf(response, isFailure ? 'Failure' : `${operation.name} ${status}`)
  assert.ok(validate(answer), `${ajv.errorsText(validate.errors)}: ${body}`)
  if (!isFailure) return
  const error = answer.error as { code: ErrorCode; details: string }
  const { code, details } = error
  assert.deepEqual([Object.keys(answer).length, Object.keys(error).length], [2, 6])
  assert.ok(details.endsWith(`(request ${headers['x-request-id']})`))
  if (isFailedJob) return
  const isTransport = code === 'SYS.1007' && [413, 414, 415].includes(status)
  assert.ok(isTransport || errorCatalogue[code].status === status, `${code} with ${status}`)
  assert.ok(declared['x-errors'].includes(code), `${operation.name} does not declare ${code}: ${body}`)
}

test('the check itself notices what is not declared', async () => {
  const operation = served.find(({ name }) => name === 'QueryTag')
  assert.ok(operation)
  const good = await send(operation, { path: '/v1/tags', query: '', type: 'x', body: undefined })
  assertDeclared(operation, good)
  const changed = (change: object): Received => ({
    ...good,
    text: JSON.stringify({ ...JSON.parse(good.text), ...change }),
  })
  for (const bad of [
    changed({ nonsense: 1 }),
    changed({ success: false }),
    changed({ error: undefined }),
    changed({ inventories: [{ uuid: 'x' }] }),
    changed({ inventories: [{ passwordHash: 'x' }] }),
    { ...good, status: 201 },
    { ...good, status: 500 },
    { ...good, status: 400 },
    { ...good, headers: { ...good.headers, 'x-request-id': undefined } },
  ])
    assert.throws(() => assertDeclared(operation, bad), bad.text)
})

for (const operation of served)
  test(`${operation.name} answers whatever comes as it declares`, async () => {
    await fc.assert(
      fc.asyncProperty(callOf(operation), async (sent) => {
        assertDeclared(operation, await send(operation, sent))
      }),
      { numRuns: runsPerOperation },
    )
  })

test('nobody sawed off the branch: both admins are still admins', async () => {
  const { status, body } = await caller.get('/v1/users?q=role=admin&fields=uuid')
  assert.equal(status, 200)
  const admins = (body.inventories as { uuid: string }[]).map(({ uuid }) => uuid)
  for (const admin of [caller.accountUuid, server.bootstrap.accountUuid]) assert.ok(admins.includes(admin))
})
