import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { type Answer, assertFailure, type Client, rawCall, TestServer } from '@wharf/testkit'
import { maxBodyBytes } from './body.ts'

const server = await TestServer.start({ after })
const operator = await server.signIn('operator')
const { origin } = new URL(server.url)
const json = 'application/json;charset=UTF-8'
const form = 'application/x-www-form-urlencoded'

const tagCount = async (): Promise<unknown> => (await server.admin.get('/v1/tags?count=true')).body.total

let made = 0
const newTag = (): string => JSON.stringify({ params: { name: `tag ${++made}` } })

interface Sent {
  as?: Client
  method?: string
  path?: string
  type?: string | undefined
  headers?: Record<string, string>
  body?: string | Buffer
}

function send({
  as = server.admin,
  method = 'POST',
  path = '/v1/tags',
  type = json,
  headers = {},
  body = '',
}: Sent): Promise<Answer> {
  return rawCall(origin, {
    method,
    path,
    body,
    headers: { ...as.authorization(method, path), 'content-type': type === '' ? undefined : type, ...headers },
  })
}

const accepted: (Omit<Sent, 'body'> & { name: string; body: () => string | Buffer })[] = [
  { name: 'JSON', body: newTag },
  { name: 'JSON without a charset', type: 'application/json', body: newTag },
  { name: 'a type in any case, with spaces', type: 'Application/JSON ; Charset="utf-8"', body: newTag },
  { name: 'utf8 for UTF-8', type: 'application/json; charset=utf8', body: newTag },
  { name: 'other parameters', type: 'application/json; boundary=x; charset=UTF-8', body: newTag },
  {
    name: 'JSON of as many levels as a body may have, braces and quotes in its texts',
    body: () => newTag().replace('{', `{"sessionId":${'['.repeat(63)}"\\\\\\"[[{{"${']'.repeat(63)},`),
  },
  { name: 'spaces around JSON', body: () => ` \r\n\t${newTag()}\n ` },
  { name: 'JSON under a form type from a client that signs', type: form, body: newTag },
  {
    name: 'the same with a charset and a space in front',
    type: `${form}; charset=UTF-8`,
    body: () => `\n ${newTag()}`,
  },
  { name: 'letters of every script', body: () => JSON.stringify({ params: { name: `码头 ⚓ ${++made}` } }) },
  { name: 'an explicit identity encoding', headers: { 'content-encoding': 'identity' }, body: newTag },
  {
    name: 'a chunked body',
    headers: { 'transfer-encoding': 'chunked' },
    body: () => {
      const text = newTag()
      return `5\r\n${text.slice(0, 5)}\r\n${(text.length - 5).toString(16)}\r\n${text.slice(5)}\r\n0\r\n\r\n`
    },
  },
  { name: 'as much as fits', body: () => newTag().padEnd(maxBodyBytes) },
]

for (const { name, body, ...call } of accepted)
  test(`accepts ${name}`, async () => {
    const answer = await send({ ...call, body: body() })
    assert.equal(answer.status, 200, answer.text)
    assert.equal(answer.headers.get('content-type'), 'application/json;charset=UTF-8')
  })

const refused: (Omit<Sent, 'body'> & {
  name: string
  body: () => string | Buffer
  status: number
  details?: string
})[] = [
  { name: 'no type at all', type: '', body: newTag, status: 415 },
  { name: 'text', type: 'text/plain', body: newTag, status: 415 },
  { name: 'something like JSON', type: 'application/vnd.x+json', body: newTag, status: 415 },
  { name: 'a type that is none', type: 'nonsense', body: newTag, status: 415 },
  { name: 'another charset', type: 'application/json; charset=UTF-16', body: newTag, status: 415 },
  { name: 'latin1', type: 'application/json; charset=iso-8859-1', body: newTag, status: 415 },
  { name: 'a real form', type: form, body: () => 'name=x', status: 415 },
  { name: 'a form type around a list', type: form, body: () => '[1]', status: 415 },
  { name: 'JSON under a form type from a session', as: operator, type: form, body: newTag, status: 415 },
  { name: 'a compressed body', headers: { 'content-encoding': 'gzip' }, body: newTag, status: 415 },
  { name: 'one byte too much', body: () => newTag().padEnd(maxBodyBytes + 1), status: 413, details: '256 KiB' },
  { name: 'broken JSON', body: () => newTag().slice(1), status: 400, details: 'JSON' },
  { name: 'JSON with text after it', body: () => `${newTag()}{}`, status: 400, details: 'JSON' },
  { name: 'JSON with a comment', body: () => `${newTag()} // x`, status: 400, details: 'JSON' },
  { name: 'spaces only', body: () => '  ', status: 400, details: 'JSON' },
  {
    name: 'bytes that are not UTF-8',
    body: () => Buffer.from('{"params":{"name":"\xff"}}', 'latin1'),
    status: 400,
    details: 'UTF-8',
  },
  { name: 'a list', body: () => '[]', status: 400, details: 'must be a JSON object' },
  { name: 'a number', body: () => '5', status: 400, details: 'must be a JSON object' },
  { name: 'a prototype', body: () => '{"params":{"name":"x","__proto__":{"a":1}}}', status: 400, details: '__proto__' },
  {
    name: 'a structure that is a list',
    body: () => '{"params":[]}',
    status: 400,
    details: 'params must be a JSON object',
  },
  {
    name: 'a structure that is text',
    body: () => '{"params":"x"}',
    status: 400,
    details: 'params must be a JSON object',
  },
  { name: 'JSON that only gets deeper', body: () => `{"params":{"name":${'['.repeat(100_000)}`, status: 400 },
  ...[64, 1000, 2500, 5000].map((depth) => ({
    name: `JSON of ${depth} levels where they would be ignored`,
    headers: { 'idempotency-key': `deep-${depth}` },
    body: () => `{"params":{"name":"x"},"sessionId":${'['.repeat(depth)}"]]]]"${']'.repeat(depth)}}`,
    status: 400,
    details: 'deeper than 64 levels',
  })),
]

for (const { name, body, status, details, ...call } of refused)
  test(`rejects ${name} with ${status}, and creates nothing`, async () => {
    const before = await tagCount()
    const answer = await send({ ...call, body: body() })
    assertFailure(answer, { status, code: 'SYS.1007', ...(details === undefined ? {} : { details }) })
    assert.equal(await tagCount(), before)
  })

const oddTypes = [
  json,
  form,
  'text/plain',
  'nonsense',
  'multipart/form-data; boundary=x',
  'application/json; charset=UTF-16',
]

test('without a body any type is accepted, on every method', async () => {
  const uuid = 'a'.repeat(32)
  for (const as of [server.admin, operator])
    for (const type of oddTypes)
      for (const headers of [{}, { 'content-length': '0' }] as Record<string, string>[]) {
        const get = await send({ as, method: 'GET', path: '/v1/tags', type, headers })
        assert.equal(get.status, 200, type)
        const remove = await send({ as, method: 'DELETE', path: `/v1/tags/${uuid}`, type, headers })
        assertFailure(remove, { status: 404, code: 'SYS.1003' })
        const create = await send({ as, method: 'POST', path: '/v1/tags', type, headers })
        assertFailure(create, { status: 400, code: 'SYS.1007', details: 'params.name is required' })
        const change = await send({ as, method: 'PUT', path: `/v1/accesskeys/${uuid}/actions`, type, headers })
        assertFailure(change, { status: 400, code: 'SYS.1007', details: 'the body must contain exactly one of' })
      }
})

test('an empty chunked body is not a body', async () => {
  const answer = await send({ type: 'text/plain', headers: { 'transfer-encoding': 'chunked' }, body: '0\r\n\r\n' })
  assertFailure(answer, { status: 400, code: 'SYS.1007', details: 'params.name is required' })
})

test('the body of a GET is ignored', async () => {
  assert.equal((await send({ method: 'GET', body: '{"params":' })).status, 200)
})

test('a body over the limit is rejected before it has been sent', async () => {
  const answer = await send({ headers: { 'content-length': '999999999' } })
  assertFailure(answer, { status: 413, code: 'SYS.1007' })
})

test('a caller without the permission gets 403 whatever the body is', async () => {
  const reader = await server.signIn('reader')
  for (const body of ['nonsense', 'x'.repeat(maxBodyBytes + 1)]) {
    assertFailure(await send({ as: reader, type: 'text/plain', body }), { status: 403, code: 'ID.1002' })
    assertFailure(await send({ as: server.anonymous, type: 'text/plain', body }), { status: 401, code: 'ID.1001' })
  }
})
