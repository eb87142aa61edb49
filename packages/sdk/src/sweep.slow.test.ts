import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { aliases, errorsOf, type Operation, operations, pathParameters } from '@wharf/contract'
import { TestServer } from '@wharf/testkit'
import type { JobCallOptions } from './call-types.ts'
import { WharfError } from './error.ts'
import { Wharf } from './wharf.ts'

const server = await TestServer.start({ after })
const { accessKeyId: id, accessKeySecret: secret } = server.bootstrap
const sent: Request[] = []
const wharf = new Wharf({
  url: server.url,
  accessKey: { id, secret },
  fetch: (input, init) => {
    sent.push(new Request(input, init))
    return fetch(input, init)
  },
})

type Methods = Record<string, Record<string, (...parameters: unknown[]) => Promise<object>>>
const unknownUuid = '0123456789abcdef0123456789abcdef'

interface Schema {
  type?: string | string[]
  enum?: unknown[]
  minimum?: number
  pattern?: string
  items?: Schema
  maxItems?: number
}

/** A valid value for every field, including optional ones, so that all are sent. */
function exampleOf({ type, enum: values, minimum = 0, pattern = '', items = {} }: Schema): unknown {
  if (values) return values[0]
  if (type === 'array') return [exampleOf(items), exampleOf(items)]
  if (type === 'integer' || type === 'number') return Math.max(1, minimum)
  if (type === 'boolean') return false
  if (type === 'object') return {}
  return pattern.includes('0-9a-f]{32}') ? unknownUuid : 'example-0001'
}

/** Includes destructive operations: the uuid matches no record. */
const callable = [...operations, ...aliases].filter(({ client }) => client !== null)

for (const operation of callable)
  test(`${operation.client} calls ${operation.name}`, async () => {
    const [group, method] = (operation.client ?? '').split('.') as [string, string]
    const fields = Object.fromEntries(
      Object.entries(operation.fields as Record<string, Schema>).map(([name, schema]) => [name, exampleOf(schema)]),
    )
    const path = pathParameters(operation.path).map(() => unknownUuid)
    sent.length = 0
    const call = (wharf as unknown as Methods)[group]?.[method]
    assert.ok(call, 'the method exists')
    const options: JobCallOptions = { signal: AbortSignal.timeout(20_000) }
    const outcome = await call(...path, fields, options).catch((error: unknown) => error)
    const [first] = sent
    assert.deepEqual(
      [first?.method, new URL(first?.url ?? '').pathname.replace(/^\/wharf/, '')],
      [operation.method, operation.path.replaceAll(/\{\w+\}/g, unknownUuid)],
    )
    assertOfOperation(operation, outcome)
  })

/** The answer or a declared error of the operation, and no error about the form of the request. */
function assertOfOperation(operation: Operation, outcome: unknown): void {
  if (!(outcome instanceof Error)) {
    const expected = operation.answer === 'empty' ? [] : Object.keys(operation.answer)
    for (const name of Object.keys(outcome as object)) assert.ok(expected.includes(name), name)
    return
  }
  assert.ok(outcome instanceof WharfError, `${outcome.message} ${outcome.cause}`)
  assert.ok(errorsOf(operation).includes(outcome.code), outcome.message)
  assert.doesNotMatch(outcome.details, /unknown field|exactly one of|is required|no route at|not allowed here/)
}

test('an operation without fields takes only path parameters', async () => {
  const { inventory } = await wharf.tags.create({ name: 'blue' })
  assert.deepEqual(await wharf.tags.delete(inventory.uuid), {})
  await assert.rejects(wharf.tags.one(inventory.uuid), { code: 'SYS.1003', status: 404 })
})

test('an invalid path parameter is rejected before anything is sent', async () => {
  sent.length = 0
  for (const uuid of ['', '.', '..', undefined as unknown as string])
    await assert.rejects(wharf.tags.delete(uuid), TypeError)
  assert.equal(sent.length, 0)
})

test('a raw request is signed and retried, with the query in the path or separate', async () => {
  for (const request of [{ path: '/v1/hosts?count=true' }, { path: '/v1/hosts', query: 'count=true' }])
    assert.equal((await wharf.request({ method: 'GET', ...request })).body.total, 1)
  await assert.rejects(wharf.request({ method: 'POST', path: '/v1/tags', body: '{}' }), { code: 'SYS.1007' })
})
