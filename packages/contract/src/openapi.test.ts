import assert from 'node:assert/strict'
import { test } from 'node:test'
import { validate } from '@scalar/openapi-parser'
import { errorCatalogue } from './errors.ts'
import { fieldDescriptions } from './field-descriptions.ts'
import { openapi } from './openapi.ts'
import { errorsOf, inventories, operations } from './operations.ts'
import { timestampPattern } from './schema.ts'

type Node = { [key: string]: Node } & { [index: number]: Node }
/** As a reader gets it: hidden keys of the schema library are gone. */
const written = (options: Parameters<typeof openapi>[0]): Node => JSON.parse(JSON.stringify(openapi(options)))
const document = written({ served: ({ name }) => name !== 'GetHost', serverUrl: 'https://wharf.example/wharf' })
const at = (...path: string[]): Node => path.reduce((node, key) => node[key] as Node, document)
/** Those with an address of their own; what shares one is the business of openapi-actions.test.ts. */
const described = operations
  .map((operation) => ({ operation, shown: at('paths', operation.path, operation.method.toLowerCase()) }))
  .filter(({ shown }) => !('x-operations' in shown))
const schemaOf = (node: Node | undefined): Node => node?.content?.['application/json']?.schema as Node

function* walk(node: unknown, path: string[] = []): Generator<[string[], Record<string, unknown>]> {
  if (typeof node !== 'object' || node === null) return
  yield [path, node as Record<string, unknown>]
  for (const [key, child] of Object.entries(node)) yield* walk(child, [...path, key])
}

test('is a valid OpenAPI 3.1 document', async () => {
  const { valid, errors } = await validate(JSON.stringify(document))
  assert.deepEqual(errors ?? [], [])
  assert.ok(valid)
  assert.deepEqual(document.servers, [{ url: 'https://wharf.example/wharf' }])
})

test('shows every operation under its name in lower camel case, and which are not served', () => {
  for (const { operation, shown } of described) {
    const id = String(shown.operationId)
    assert.equal(id.charAt(0).toUpperCase() + id.slice(1), operation.name)
    assert.match(id, /^[a-z]/)
    assert.equal(shown['x-served'], operation.name === 'GetHost' ? false : undefined)
    assert.equal(shown['x-permission'], operation.permission)
    assert.ok((shown['x-errors'] as unknown as string[]).includes('SYS.1007'))
  }
})

test('every reference leads somewhere', () => {
  for (const [, { $ref }] of walk(document))
    if (typeof $ref === 'string') assert.ok(at(...$ref.replace('#/', '').split('/')), $ref)
})

test('every operation, parameter and field has its version', () => {
  for (const [path, node] of walk(document)) {
    const isOperation = path.length === 3 && path[0] === 'paths'
    const isParameter = 'in' in node && 'schema' in node
    const isField = path.at(-2) === 'properties'
    if (isOperation || isParameter || isField) assert.match(String(node['x-since']), /^(wharf-)?\d/, path.join('/'))
  }
})

test('every field and parameter has a description', () => {
  for (const [path, node] of walk(document)) {
    const isField = path.at(-2) === 'properties'
    const isParameter = 'in' in node && 'schema' in node
    if (isField || isParameter) assert.ok(node.description, `${path.join('/')}: add it to field-descriptions.ts`)
  }
})

test('every shared description is used, so that none outlives its fields', () => {
  const used = new Set([...walk(document)].map(([, { description }]) => String(description).split('. In UTC')[0]))
  for (const [name, text] of Object.entries(fieldDescriptions)) assert.ok(used.has(text), name)
})

test('every operation lists the statuses of its rejections with their codes', () => {
  for (const { operation, shown } of described)
    for (const code of errorsOf(operation)) {
      const { status } = errorCatalogue[code]
      if (status < 500) assert.match(String(shown.responses?.[status]?.description), new RegExp(code), operation.name)
    }
})

test('keeps the words of the server to the server', () => {
  const words = new Set([...walk(document)].flatMap(([, node]) => Object.keys(node)))
  for (const word of ['x-verbatim', 'x-timestamp', '~kind', '~optional']) assert.ok(!words.has(word), word)
  assert.ok(words.has('x-shown-once'))
})

test('every time states its zone', () => {
  const times = [...walk(document)].filter(([, { pattern }]) => pattern === timestampPattern)
  assert.ok(times.length > 50)
  for (const [path, { description }] of times)
    assert.match(String(description), /In UTC, or in the zone/, path.join('/'))
  assert.equal((document as { 'x-time-zone'?: string })['x-time-zone'], 'UTC')
})

test('takes tags everywhere: beside the structure, in the body of DELETE, in the query of GET', () => {
  for (const { operation, shown } of described) {
    const names =
      operation.method === 'GET'
        ? (shown.parameters as unknown as { name: string }[]).map(({ name }) => name)
        : Object.keys(schemaOf(shown.requestBody).properties ?? {})
    assert.ok(names.includes('systemTags') && names.includes('userTags'), operation.name)
    if (operation.structure !== undefined) assert.equal(names[0], operation.structure)
  }
})

test('a body is needed exactly when a field is', () => {
  const needed = (path: string, method: string) => at('paths', path, method, 'requestBody').required
  assert.equal(needed('/v1/software-packages/upload', 'post'), true)
  assert.equal(needed('/v1/software-package/install/{uuid}/actions', 'put'), false)
  assert.equal(needed('/v1/cluster-plugin/{uuid}/alert-platform', 'post'), false)
  assert.equal(needed('/v1/cluster-plugin/{uuid}', 'delete'), false)
})

test('a record has all its fields, also in a list, unless the request selects some', () => {
  for (const { name, schema } of inventories) {
    assert.deepEqual(at('components', 'schemas', name, 'required'), Object.keys(schema.properties))
    const partial = at('components', 'schemas')[`Partial${name}`]
    if (partial !== undefined) {
      assert.ok(!('required' in partial))
      assert.deepEqual(partial.properties, at('components', 'schemas', name, 'properties'))
    }
  }
  const answers = (path: string, method: string) =>
    schemaOf(at('paths', path, method, 'responses', '200')).properties as Node
  assert.deepEqual(answers('/v1/tags', 'post').inventory?.$ref, '#/components/schemas/TagInventory')
  assert.deepEqual(answers('/v1/tags', 'get').inventories?.items, {
    anyOf: [{ $ref: '#/components/schemas/TagInventory' }, { $ref: '#/components/schemas/PartialTagInventory' }],
  })
})

test('answers are the envelope with the declared fields, or exactly nothing', () => {
  for (const { operation, shown } of described) {
    if (operation.mode === 'stream') continue
    const answer = schemaOf(shown.responses?.['200'])
    const expected = operation.answer === 'empty' ? [] : ['success', 'error', ...Object.keys(operation.answer)]
    assert.deepEqual(Object.keys(answer.properties ?? {}), expected)
    assert.ok(!('additionalProperties' in answer), 'later versions may add fields')
    const isRepeatable = operation.method !== 'GET' && operation.repeatable !== false
    assert.equal('202' in (shown.responses ?? {}), isRepeatable, operation.name)
    assert.deepEqual(shown.responses?.default, { $ref: '#/components/responses/Failure' })
  }
})

test('streams declare what they send, and a job answers 202, 200 or 503', () => {
  const responses = (path: string) => at('paths', path, 'get', 'responses')
  assert.deepEqual(
    Object.keys(responses('/v1/api-jobs/{uuid}')).filter((status) => !status.startsWith('4')),
    ['200', '202', '503', 'default'],
  )
  assert.deepEqual(Object.keys(responses('/v1/events')['200']?.content ?? {}), ['text/event-stream'])
  assert.deepEqual(Object.keys(responses('/v1/api-jobs/{uuid}/log')['200']?.content ?? {}), [
    'text/plain',
    'text/event-stream',
  ])
})

test('documents the webhook of alerts with its own token', () => {
  const send = at('paths', '/v1/zwatch/third-party/platforms/{uuid}/alerts', 'post')
  assert.deepEqual(send.security, [{ platformToken: [] }])
  assert.equal(at('components', 'securitySchemes', 'platformToken').scheme, 'bearer')
  assert.equal(schemaOf(send.requestBody).properties?.version?.const, '4')
})

test('documents the requests of tus for the slices of an upload', () => {
  const requests = at('paths', '/v1/uploads/{id}')
  assert.deepEqual(Object.keys(requests), ['head', 'patch', 'delete'])
  for (const request of Object.values(requests)) assert.deepEqual(request.security, [{ uploadSignature: [] }])
  const parameters = at('paths', '/v1/uploads/{id}', 'patch', 'parameters') as unknown as Record<string, unknown>[]
  assert.deepEqual(
    parameters.filter(({ required }) => required).map(({ name }) => name),
    ['id', 'Tus-Resumable', 'Upload-Offset'],
  )
  assert.deepEqual(Object.keys(requests.patch?.requestBody?.content ?? {}), ['application/offset+octet-stream'])
})

test('public operations ask for no credential', () => {
  for (const { operation, shown } of described)
    assert.equal(
      JSON.stringify(shown.security) === '[]',
      operation.permission === 'public',
      `${operation.name} is ${operation.permission}`,
    )
})

test('a secret is shown where it is made and taken where it is sent, never both hidden', () => {
  const secret = at('components', 'schemas', 'AccessKeyInventory', 'properties', 'AccessKeySecret')
  assert.equal(secret['x-shown-once'], true)
  assert.equal(secret.writeOnly, undefined)
  const sent = schemaOf(at('paths', '/v1/accounts/login', 'put', 'requestBody')).properties?.logInByAccount
  assert.equal(sent?.properties?.password?.writeOnly, true)
})
